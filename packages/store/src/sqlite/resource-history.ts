import type { DatabaseSync } from 'node:sqlite';
import { type HistoryPlace, isAfter, step } from '../shared/history-place.ts';
import { resourceAsJson } from './resources-as-json.ts';
import type { EncodedChange } from './station-history.ts';

interface StretchOfResource {
  readonly stationId: number;
  readonly resourceId: string;
  readonly after: HistoryPlace;
  readonly limit: number;
}

interface Version {
  readonly id: number;
  readonly revision: number;
  /** Null while it is the current one. */
  readonly until: number | null;
  readonly removed: number;
  readonly version: string;
}

/** The changes of one resource that follow a place. */
export function readResourceHistory(db: DatabaseSync, stretch: StretchOfResource): EncodedChange[] {
  const changes: EncodedChange[] = [];
  let previous: Version | undefined;
  for (const version of readVersions(db, stretch)) {
    changes.push(beginning(version, previous));
    if (version.removed === 1) changes.push(removal(version));
    previous = version;
  }
  return changes.filter((change) => isAfter(change, stretch.after)).slice(0, stretch.limit);
}

/** Enough of them for `limit` changes: two may have changed nothing after the place. */
function readVersions(
  db: DatabaseSync,
  { stationId, resourceId, after, limit }: StretchOfResource,
): Version[] {
  const past = db
    .prepare(
      `SELECT id, revision, until_revision AS until, removed, ${resourceAsJson('past_versions')} AS version
       FROM past_versions INDEXED BY past_versions_by_resource_id
       WHERE station_id = ? AND resource_id = ? AND until_revision >= ?
       ORDER BY until_revision
       LIMIT ?`,
    )
    .all(stationId, resourceId, after.revision, limit + 2);
  const current = db
    .prepare(
      `SELECT id, revision, NULL AS until, 0 AS removed, ${resourceAsJson('resources')} AS version
       FROM resources WHERE station_id = ? AND resource_id = ?`,
    )
    .all(stationId, resourceId);
  return [...past, ...current] as unknown as Version[];
}

function beginning({ id, revision, version }: Version, previous: Version | undefined): EncodedChange {
  const before = previous?.until === revision ? previous.version : null;
  return { revision, id, step: step.put, before, after: version };
}

function removal({ id, until, version }: Version): EncodedChange {
  return { revision: until!, id, step: step.remove, before: version, after: null };
}
