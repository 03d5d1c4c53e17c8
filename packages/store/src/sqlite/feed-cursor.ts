import type { DatabaseSync } from 'node:sqlite';
import { formatRevision, RosterError, type StationAddress } from '@roster/contract';
import type { Head } from '@roster/engine';
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
  #after: ResourcePosition;
  #removalsAfter: RemovalPosition | undefined;

  /** The caller has begun a transaction on `db`. */
  constructor(db: DatabaseSync, address: StationAddress, since: Head | undefined) {
    const station = requireStation(db, address);
    if (since) requireKnownRevision(db, station, since);
    this.#db = db;
    this.#stationId = station.id;
    this.head = station.head;
    this.#after = { revision: since?.number ?? -1, id: Number.MAX_SAFE_INTEGER };
    this.#removalsAfter = since && { revision: since.number + 1, resourceId: '' };
  }

  next(): EncodedPart {
    if (this.#removalsAfter) {
      const removed = this.#nextRemovals(this.#removalsAfter);
      if (removed.length > 0) return { resources: [], removed, last: false };
    }
    return this.#nextResources();
  }

  #nextRemovals({ revision, resourceId }: RemovalPosition): string[] {
    const rows = this.#db
      .prepare(removalsSql)
      .all(this.#stationId, revision, resourceId, removalsPerPart) as unknown as RemovalPosition[];
    this.#removalsAfter = rows.at(-1);
    return rows.map((row) => row.resourceId);
  }

  #nextResources(): EncodedPart {
    const from = this.#after;
    const end = this.#db
      .prepare(endOfPartSql)
      .get({ station: this.#stationId, ...from, skip: resourcesPerPart - 1 });
    const to = (end as unknown as ResourcePosition | undefined) ?? lastPosition;
    this.#after = to;
    return { resources: this.#readRange(from, to), removed: [], last: end === undefined };
  }

  /** Three plain index ranges, because SQLite does not search an index by (revision, id) as one value. */
  #readRange(from: ResourcePosition, to: ResourcePosition): string[] {
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

interface ResourcePosition {
  readonly revision: number;
  readonly id: number;
}

interface RemovalPosition {
  readonly revision: number;
  readonly resourceId: string;
}

const lastPosition: ResourcePosition = {
  revision: Number.MAX_SAFE_INTEGER,
  id: Number.MAX_SAFE_INTEGER,
};

const removalsSql = `
  SELECT revision, resource_id AS resourceId
  FROM tombstones INDEXED BY tombstones_by_revision
  WHERE station_id = ? AND (revision, resource_id) > (?, ?)
  ORDER BY revision, resource_id
  LIMIT ?
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

const selectAsJson = `
  SELECT json_group_array(${resourceAsJson}) AS resources
  FROM resources INDEXED BY resources_by_revision
`;
const withinRevisionSql = `${selectAsJson} WHERE station_id = ? AND revision = ? AND id > ? AND id <= ?`;
const betweenRevisionsSql = `${selectAsJson} WHERE station_id = ? AND revision > ? AND revision < ?`;

function requireKnownRevision(db: DatabaseSync, station: StationRow, since: Head): void {
  const known =
    since.epoch === station.head.epoch &&
    db
      .prepare('SELECT 1 FROM revisions WHERE station_id = ? AND revision = ? AND rev_id = ?')
      .get(station.id, since.number, since.revId) !== undefined;
  if (known) return;
  throw new RosterError(
    'revision_expired',
    `the changes after revision ${formatRevision(since)} are no longer known`,
  );
}
