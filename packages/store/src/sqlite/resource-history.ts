import type { DatabaseSync } from 'node:sqlite';
import {
  changesBetween,
  type PastVersion,
  type StretchOfResource,
  versionsFor,
} from '../shared/resource-changes.ts';
import { resourceAsJson } from './resources-as-json.ts';
import type { EncodedChange } from './station-history.ts';

/** The changes of one resource that follow a place. */
export function readResourceHistory(db: DatabaseSync, stretch: StretchOfResource): EncodedChange[] {
  return changesBetween(readVersions(db, stretch), stretch);
}

function readVersions(
  db: DatabaseSync,
  { stationId, resourceId, after, limit }: StretchOfResource,
): PastVersion<string>[] {
  const past = db
    .prepare(
      `SELECT id, revision, until_revision AS until, removed, ${resourceAsJson('past_versions')} AS version
       FROM past_versions INDEXED BY past_versions_by_resource_id
       WHERE station_id = ? AND resource_id = ? AND until_revision >= ?
       ORDER BY until_revision
       LIMIT ?`,
    )
    .all(stationId, resourceId, after.revision, versionsFor(limit));
  const current = db
    .prepare(
      `SELECT id, revision, NULL AS until, 0 AS removed, ${resourceAsJson('resources')} AS version
       FROM resources WHERE station_id = ? AND resource_id = ?`,
    )
    .all(stationId, resourceId);
  const rows = [...past, ...current] as unknown as (PastVersion<string> & { removed: number })[];
  return rows.map(({ removed, ...version }) => ({ ...version, wasRemoved: removed === 1 }));
}
