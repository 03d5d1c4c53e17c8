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
      if (removed.length > 0) return { resources: undefined, removed, last: false };
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
    const { revision, id } = this.#after;
    const end = this.#db
      .prepare(endOfPartSql)
      .get(this.#stationId, revision, id, resourcesPerPart - 1) as unknown as ResourcePosition | undefined;
    const upTo = end ?? { revision: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };
    const { resources } = this.#db
      .prepare(partSql)
      .get(this.#stationId, revision, id, upTo.revision, upTo.id) as { resources: string };
    this.#after = upTo;
    return { resources, removed: [], last: end === undefined };
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

const removalsSql = `
  SELECT revision, resource_id AS resourceId
  FROM tombstones INDEXED BY tombstones_by_revision
  WHERE station_id = ? AND (revision, resource_id) > (?, ?)
  ORDER BY revision, resource_id
  LIMIT ?
`;

const endOfPartSql = `
  SELECT revision, id
  FROM resources INDEXED BY resources_by_revision
  WHERE station_id = ? AND (revision, id) > (?, ?)
  ORDER BY revision, id
  LIMIT 1 OFFSET ?
`;

const partSql = `
  SELECT json_group_array(${resourceAsJson}) AS resources
  FROM resources INDEXED BY resources_by_revision
  WHERE station_id = ? AND (revision, id) > (?, ?) AND (revision, id) <= (?, ?)
`;

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
