import { isSound } from '../database/row-checksums.ts';

/** Where a feed finds resources: those created since its revision, and older ones updated since, each once. */
export type RowSource = 'created' | 'updated';

/** SQL of the resources `r` of a source, each found by a row `key`, in the order of a revision and the id of that row. */
interface SourceSql {
  readonly key: 'r' | 'v';
  readonly keys: string;
  readonly revision: 'created_revision' | 'until_revision';
  readonly rows: string;
  readonly isWanted: string;
}

/**
 * An updated resource is found by the version before its current one. An earlier version must have a later one, or else
 * an update was lost.
 */
export const rowSources: Readonly<Record<RowSource, SourceSql>> = {
  created: {
    key: 'r',
    keys: 'resources r INDEXED BY resources_by_creation',
    revision: 'created_revision',
    rows: 'resources r INDEXED BY resources_by_creation',
    isWanted: isSound('resources', 'r'),
  },
  updated: {
    key: 'v',
    keys: 'past_versions v',
    revision: 'until_revision',
    rows: 'past_versions v LEFT JOIN resources r ON r.id = v.id AND r.station_id = v.station_id',
    isWanted: `v.removed = 0 AND CASE
      WHEN r.revision = v.until_revision THEN r.created_revision <= $since AND ${isSound('resources', 'r')}
      WHEN EXISTS (
        SELECT 1 FROM past_versions later INDEXED BY past_versions_by_resource_id
        WHERE later.station_id = v.station_id AND later.resource_id = v.resource_id
          AND later.until_revision > v.until_revision
      ) THEN 0
      ELSE damaged()
    END`,
  },
};
