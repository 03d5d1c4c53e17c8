import type { DatabaseSync } from 'node:sqlite';
import type { StationAddress } from '@roster/contract';
import type { Head } from '@roster/engine';
import { requireKnownHistory, revisionExpired } from '../shared/require-known-history.ts';
import { requireStation, type StationRow } from './find-station.ts';
import type { EncodedPart } from './reader-requests.ts';
import { resourceAsJson } from './resources-as-json.ts';

const resourcesPerPart = 2_000;
const removalsPerPart = 10_000;

/** Reads one feed, part by part, from the state that the connection's read transaction is pinned to. */
export class FeedCursor {
  readonly head: Head;
  readonly #db: DatabaseSync;
  readonly #stationId: number;
  #after: RowPosition;
  #removalsAfter: RowPosition | undefined;

  /** The caller has begun a transaction on `db`. */
  constructor(db: DatabaseSync, address: StationAddress, since: Head | undefined) {
    const station = requireStation(db, address);
    if (since) requireKnownHead(db, station, since);
    this.#db = db;
    this.#stationId = station.id;
    this.head = station.head;
    this.#after = { revision: since?.number ?? -1, id: Number.MAX_SAFE_INTEGER };
    this.#removalsAfter = since && { revision: since.number, id: Number.MAX_SAFE_INTEGER };
  }

  next(): EncodedPart {
    if (this.#removalsAfter) {
      const removed = this.#nextRemovals(this.#removalsAfter);
      if (removed.length > 0) return { resources: [], removed, last: false };
    }
    return this.#nextResources();
  }

  #nextRemovals(after: RowPosition): string[] {
    const rows = this.#db
      .prepare(removalsSql)
      .all({ station: this.#stationId, ...after, limit: removalsPerPart }) as unknown as RemovalRow[];
    const last = rows.at(-1);
    this.#removalsAfter = last && { revision: last.revision, id: last.id };
    return rows.map((row) => row.resourceId);
  }

  #nextResources(): EncodedPart {
    const from = this.#after;
    const end = this.#db
      .prepare(endOfPartSql)
      .get({ station: this.#stationId, ...from, skip: resourcesPerPart - 1 });
    const to = (end as unknown as RowPosition | undefined) ?? lastPosition;
    this.#after = to;
    return { resources: this.#readRange(from, to), removed: [], last: end === undefined };
  }

  /** Three plain index ranges, because SQLite does not search an index by (revision, id) as one value. */
  #readRange(from: RowPosition, to: RowPosition): string[] {
    if (from.revision === to.revision) return [this.#readWithin(from.revision, from.id, to.id)];
    const between = this.#db.prepare(betweenRevisionsSql).get(this.#stationId, from.revision, to.revision);
    return [
      this.#readWithin(from.revision, from.id, Number.MAX_SAFE_INTEGER),
      (between as { resources: string }).resources,
      this.#readWithin(to.revision, 0, to.id),
    ];
  }

  #readWithin(revision: number, afterId: number, upToId: number): string {
    const row = this.#db.prepare(withinRevisionSql).get(this.#stationId, revision, afterId, upToId);
    return (row as { resources: string }).resources;
  }
}

interface RowPosition {
  readonly revision: number;
  readonly id: number;
}

interface RemovalRow extends RowPosition {
  readonly resourceId: string;
}

const lastPosition: RowPosition = {
  revision: Number.MAX_SAFE_INTEGER,
  id: Number.MAX_SAFE_INTEGER,
};

/** A resource that came back is put, not removed; one that was removed again is told of once, the last time. */
const selectRemovals = `
  SELECT until_revision AS revision, id, resource_id AS resourceId
  FROM past_versions p INDEXED BY past_versions_removed
  WHERE station_id = :station AND removed = 1
    AND NOT EXISTS (
      SELECT 1 FROM resources r WHERE r.station_id = :station AND r.resource_id = p.resource_id
    )
    AND NOT EXISTS (
      SELECT 1 FROM past_versions later
      WHERE later.station_id = :station AND later.resource_id = p.resource_id
        AND later.until_revision > p.until_revision
    )
`;
const removalsSql = `
  ${selectRemovals} AND until_revision = :revision AND id > :id
  UNION ALL
  ${selectRemovals} AND until_revision > :revision
  ORDER BY revision, id
  LIMIT :limit
`;

const endOfPartSql = `
  SELECT revision, id FROM resources INDEXED BY resources_by_revision
  WHERE station_id = :station AND revision = :revision AND id > :id
  UNION ALL
  SELECT revision, id FROM resources INDEXED BY resources_by_revision
  WHERE station_id = :station AND revision > :revision
  ORDER BY revision, id
  LIMIT 1 OFFSET :skip
`;

/**
 * In list order, but for rare characters, so that the engine, which cannot rely on it, has little left to sort.
 * The order of the rows within is kept by `group_concat`; as an `ORDER BY` of its own it would take twice as long.
 */
function selectAsJson(condition: string): string {
  return `
    SELECT '[' || coalesce(group_concat(resource), '') || ']' AS resources
    FROM (
      SELECT ${resourceAsJson('resources')} AS resource
      FROM resources INDEXED BY resources_by_revision
      WHERE station_id = ? AND ${condition}
      ORDER BY display_name, resource_id
    )
  `;
}
const withinRevisionSql = selectAsJson('revision = ? AND id > ? AND id <= ?');
const betweenRevisionsSql = selectAsJson('revision > ? AND revision < ?');

function requireKnownHead(db: DatabaseSync, station: StationRow, since: Head): void {
  requireKnownHistory(station, since);
  const known = db
    .prepare('SELECT 1 FROM revisions WHERE station_id = ? AND revision = ? AND rev_id = ?')
    .get(station.id, since.number, since.revId);
  if (!known) throw revisionExpired(since);
}
