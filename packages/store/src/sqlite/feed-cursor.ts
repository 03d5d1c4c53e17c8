import type { DatabaseSync } from 'node:sqlite';
import type { StationAddress } from '@roster/contract';
import type { Head } from '@roster/engine';
import { requireKnownHistory, revisionExpired } from '../shared/require-known-history.ts';
import { requireStation, type StationRow } from './find-station.ts';
import { type RowPosition, readPacked } from './read-packed.ts';
import type { EncodedPart } from './reader-requests.ts';

const resourcesPerPart = 2_000;
const removalsPerPart = 10_000;

/** Reads one feed, part by part, from the state that the connection's read transaction is pinned to. */
export class FeedCursor {
  readonly head: Head;
  readonly expectedSize: number;
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
    this.expectedSize = station.size;
    this.#after = { revision: since?.number ?? -1, id: Number.MAX_SAFE_INTEGER };
    this.#removalsAfter = since && { revision: since.number, id: Number.MAX_SAFE_INTEGER };
  }

  next(): EncodedPart {
    if (this.#removalsAfter) {
      const removed = this.#nextRemovals(this.#removalsAfter);
      if (removed.length > 0) return { put: undefined, removed, last: false };
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
    const put = readPacked(this.#db, { stationId: this.#stationId, from, to });
    return { put, removed: [], last: end === undefined };
  }
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

function requireKnownHead(db: DatabaseSync, station: StationRow, since: Head): void {
  requireKnownHistory(station, since);
  const known = db
    .prepare('SELECT 1 FROM revisions WHERE station_id = ? AND revision = ? AND rev_id = ?')
    .get(station.id, since.number, since.revId);
  if (!known) throw revisionExpired(since);
}
