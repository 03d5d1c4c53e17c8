import type { DatabaseSync } from 'node:sqlite';
import { dataDamaged, type StationAddress } from '@roster/contract';
import type { Head, StationPart } from '@roster/engine/port';
import { isGone, requireKnownHistory, revisionExpired } from '../../shared/history.ts';
import type { StationRow } from '../../shared/stations.ts';
import { requireStation } from '../database/find-station.ts';
import { isSound } from '../database/row-checksums.ts';
import { getRow, getRows, hasRow } from '../database/rows.ts';
import { type EncodedResources, type RowPosition, readRendered } from './read-rendered.ts';
import { type RowSource, rowSources } from './row-sources.ts';

const resourcesPerChunk = 2_000;
const removalsPerChunk = 10_000;

/** A chunk of a feed as sent between threads. */
export interface EncodedChunk {
  /** Undefined in a chunk of removals. */
  readonly put: EncodedResources | undefined;
  readonly removed: readonly string[];
  /** The last chunk; the feed is closed. */
  readonly last: boolean;
}

/** Reads a feed chunk by chunk from the state pinned by the connection's read transaction. */
export class FeedCursor {
  readonly head: Head;
  readonly size: number;
  readonly #db: DatabaseSync;
  readonly #stationId: number;
  readonly #part: StationPart;
  readonly #since: RowPosition;
  /** What is yet to be read, the first of them after `#after`. */
  readonly #sources: RowSource[];
  #after: RowPosition;
  #removalsAfter: RowPosition | undefined;

  /** Runs in the caller's transaction. */
  constructor(db: DatabaseSync, address: StationAddress, since?: Head, part: StationPart = 'all') {
    const station = requireStation(db, address);
    if (since) {
      requireKnownHead(db, station, since);
      requireAllChanges(db, station, since);
    }
    this.#db = db;
    this.#stationId = station.id;
    this.#part = since === undefined ? part : 'all';
    this.head = station.head;
    this.size = station.counts.resources;
    this.#since = { revision: since?.number ?? -1, id: Number.MAX_SAFE_INTEGER };
    this.#after = this.#since;
    this.#sources = since ? ['created', 'updated'] : ['created'];
    this.#removalsAfter = since && this.#since;
  }

  next(): EncodedChunk {
    if (this.#removalsAfter) {
      const removed = this.#nextRemovals(this.#removalsAfter);
      if (removed.length > 0) return { put: undefined, removed, last: false };
    }
    return this.#nextResources();
  }

  #nextRemovals(after: RowPosition): string[] {
    const range = { station: this.#stationId, ...after, limit: removalsPerChunk };
    const rows = getRows<RowPosition & { resourceId: string }>(this.#db, removalsSql, range);
    const last = rows.at(-1);
    this.#removalsAfter = last && { revision: last.revision, id: last.id };
    return rows.map((row) => row.resourceId);
  }

  #nextResources(): EncodedChunk {
    const from = this.#after;
    const source = this.#sources[0]!;
    const range = { station: this.#stationId, ...from, skip: resourcesPerChunk - 1 };
    const end = getRow<RowPosition>(this.#db, endOfChunkSql[source], range);
    const since = this.#since.revision;
    const to = end ?? lastPosition;
    const put = readRendered(this.#db, {
      stationId: this.#stationId,
      part: this.#part,
      source,
      since,
      from,
      to,
    });
    this.#after = end ?? this.#since;
    if (end === undefined) this.#sources.shift();
    return { put, removed: [], last: this.#sources.length === 0 };
  }
}

const lastPosition: RowPosition = { revision: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };

const selectRemovals = `
  SELECT until_revision AS revision, id, resource_id AS resourceId
  FROM past_versions p
  WHERE station_id = :station AND removed = 1 AND ${isSound('past_versions', 'p')} AND ${isGone(':station')}
`;
const removalsSql = `
  ${selectRemovals} AND until_revision = :revision AND id > :id
  UNION ALL
  ${selectRemovals} AND until_revision > :revision
  ORDER BY revision, id
  LIMIT :limit
`;

const endOfChunkSql = { created: endOfChunk('created'), updated: endOfChunk('updated') };

function endOfChunk(source: RowSource): string {
  const { keys, revision } = rowSources[source];
  const select = `SELECT ${revision} AS revision, id FROM ${keys} WHERE station_id = :station`;
  return `
    ${select} AND ${revision} = :revision AND id > :id
    UNION ALL
    ${select} AND ${revision} > :revision
    ORDER BY 1, 2
    LIMIT 1 OFFSET :skip
  `;
}

function requireKnownHead(db: DatabaseSync, station: StationRow, since: Head): void {
  requireKnownHistory(station, since);
  const sql = 'SELECT 1 FROM revisions WHERE station_id = ? AND revision = ? AND rev_id = ?';
  if (!hasRow(db, sql, station.id, since.number, since.revId)) throw revisionExpired(since);
}

/**
 * Throws `data_damaged` unless every change after `since` is found. Otherwise an index that lost a row would
 * leave an outdated resource unnoticed.
 */
function requireAllChanges(db: DatabaseSync, { id, head }: StationRow, { number }: Head): void {
  type Counted = { revisions: number; changes: number; found: number };
  const { revisions, changes, found } = getRow<Counted>(db, changesSql, { station: id, since: number })!;
  if (revisions === head.number - number && changes === found) return;
  throw dataDamaged('the history of the station');
}

const changesSql = `
  SELECT count(*) AS revisions, coalesce(sum(changes), 0) AS changes, (
    SELECT count(*) FROM resources INDEXED BY resources_by_creation
    WHERE station_id = :station AND created_revision > :since
  ) + (
    SELECT count(*) FROM past_versions INDEXED BY past_versions_by_creation
    WHERE station_id = :station AND created_revision > :since AND removed = 1
  ) + (
    SELECT count(*) FROM past_versions NOT INDEXED WHERE station_id = :station AND until_revision > :since
  ) AS found
  FROM revisions WHERE station_id = :station AND revision > :since AND ${isSound('revisions')}
`;
