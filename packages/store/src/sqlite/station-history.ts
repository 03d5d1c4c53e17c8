import type { DatabaseSync } from 'node:sqlite';
import { type HistoryPlace, step } from '../shared/history-place.ts';
import type { PlacedChange } from '../shared/resource-changes.ts';
import { resourceAsJson } from './resources-as-json.ts';

/** A change on its way between threads. Resources are JSON: see `resourceAsJson`. */
export type EncodedChange = PlacedChange<string>;

interface Stretch {
  readonly stationId: number;
  readonly after: HistoryPlace;
  readonly limit: number;
}

/** The changes of a station that follow a place. */
export function readStationHistory(db: DatabaseSync, { stationId, after, limit }: Stretch): EncodedChange[] {
  return db.prepare(historySql).all({ station: stationId, ...after, limit }) as unknown as EncodedChange[];
}

interface Source {
  readonly table: string;
  readonly index: string;
  readonly revision: 'revision' | 'until_revision';
  readonly step: (typeof step)[keyof typeof step];
}

const sources: readonly Source[] = [
  { table: 'resources', index: 'resources_by_revision', revision: 'revision', step: step.put },
  { table: 'past_versions', index: 'past_versions_by_revision', revision: 'revision', step: step.put },
  { table: 'past_versions', index: 'past_versions_removed', revision: 'until_revision', step: step.remove },
];

/**
 * The rest of the revision that `after` is in, and the revisions that follow, of each source. All are ranges
 * of an index in the order that is asked for, so SQLite merges them row by row, sorts nothing, and a page
 * costs the same wherever it is.
 */
export const historySql = `
  SELECT revision, id, step,
    CASE step WHEN ${step.remove} THEN version ELSE (
      SELECT ${resourceAsJson('b')} FROM past_versions b
      WHERE b.station_id = :station AND b.until_revision = changed.revision AND b.id = changed.id AND b.removed = 0
    ) END AS before,
    CASE step WHEN ${step.put} THEN version END AS after
  FROM (
    ${sources.flatMap((source) => [restOfRevision(source), laterRevisions(source)]).join(' UNION ALL ')}
    ORDER BY 1, 2, 3
    LIMIT :limit
  ) AS changed
`;

function restOfRevision(source: Source): string {
  const isBehind = source.step === step.put ? 'id > :id OR (id = :id AND :step = 0)' : 'id > :id';
  return `${selectFrom(source)} AND ${source.revision} = :revision AND id >= :id AND (${isBehind})`;
}

function laterRevisions(source: Source): string {
  return `${selectFrom(source)} AND ${source.revision} > :revision`;
}

function selectFrom({ table, index, revision, step }: Source): string {
  const removedOnly = revision === 'until_revision' ? 'AND removed = 1' : '';
  return `
    SELECT ${revision} AS revision, id, ${step} AS step, ${resourceAsJson(table)} AS version
    FROM ${table} INDEXED BY ${index}
    WHERE station_id = :station ${removedOnly}`;
}
