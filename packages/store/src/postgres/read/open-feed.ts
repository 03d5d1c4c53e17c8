import { RosterError, type StationAddress, stationNotFound } from '@roster/contract';
import { type Feed, type FeedChunk, type Head, RenderedResources } from '@roster/engine';
import type { ClientBase } from 'pg';
import { isGone, requireKnownHistory, revisionExpired } from '../../shared/history.ts';
import { resourceColumns, toResource } from '../../shared/resource-columns.ts';
import { type StationRow, type StoredStation, stationColumns, toStation } from '../../shared/stations.ts';
import type { AnswerWatch } from '../connection/answer-watch.ts';
import type { ConnectionPool, Lease } from '../connection/connection-pool.ts';
import { isSqlError, translateError } from '../connection/translate-error.ts';
import type { HeadQuestions } from '../heads/head-questions.ts';
import type { KnownStations } from '../heads/known-stations.ts';
import { renewLostEpochs } from '../heads/lineage-check.ts';
import { addressKey } from '../schema/find-station.ts';
import { isSound } from '../schema/row-checksums.ts';

export interface FeedSource {
  readonly server: string;
  readonly readers: ConnectionPool;
  readonly answers: AnswerWatch;
  readonly writers: ConnectionPool;
  readonly questions: HeadQuestions;
  readonly known: KnownStations;
}

/** Opens a feed, with all types of its resources in the catalog. */
export async function openFeed(source: FeedSource, address: StationAddress, since?: Head): Promise<Feed> {
  const { server, readers, answers, questions } = source;
  const lease = await readers.take();
  try {
    const cursor = await answers.run(lease.client, async () => {
      await lease.client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      return FeedCursor.open(lease.client, address, since);
    });
    await questions.reachCatalog(cursor.catalogRevision);
    const { head, size } = cursor;
    return { head, size, chunks: new FeedChunks({ lease, cursor, answers, server }) };
  } catch (error) {
    await lease.client.query('ROLLBACK').catch(() => undefined);
    lease.giveBack(error);
    if (error instanceof RosterError && error.code === 'revision_expired') await renewIfLost(source, address);
    throw translateError(error, server);
  }
}

/** A history that does not continue where this node is may have lost its tail. */
async function renewIfLost({ writers, known }: FeedSource, address: StationAddress): Promise<void> {
  const station = known.get(address);
  if (station) await writers.use((client) => renewLostEpochs(client, [station]));
}

interface OpenFeed {
  readonly lease: Lease;
  readonly cursor: FeedCursor;
  readonly answers: AnswerWatch;
  readonly server: string;
}

/** Reads a feed one chunk ahead of the consumer, and gives the connection back. */
class FeedChunks implements AsyncIterableIterator<FeedChunk> {
  readonly #feed: OpenFeed;
  #requested: Promise<FeedChunk | undefined> | undefined;
  #ended = false;

  constructor(feed: OpenFeed) {
    this.#feed = feed;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<FeedChunk, undefined>> {
    if (this.#ended) return { done: true, value: undefined };
    try {
      const chunk = await (this.#requested ?? this.#request());
      if (chunk === undefined) return await this.return();
      this.#requested = this.#request();
      return { done: false, value: chunk };
    } catch (error) {
      this.#ended = true;
      const { lease } = this.#feed;
      // Otherwise the next user of this connection would find its transaction aborted.
      if (isSqlError(error)) await lease.client.query('ROLLBACK').catch(() => undefined);
      lease.giveBack(error);
      throw translateError(error, this.#feed.server);
    }
  }

  async return(): Promise<IteratorResult<FeedChunk, undefined>> {
    if (!this.#ended) {
      this.#ended = true;
      await this.#close();
    }
    return { done: true, value: undefined };
  }

  #request(): Promise<FeedChunk | undefined> {
    const { lease, cursor, answers } = this.#feed;
    const requested = answers.run(lease.client, () => cursor.next());
    // A later `await` sees the failure; after an early return there may be none.
    requested.catch(() => undefined);
    return requested;
  }

  async #close(): Promise<void> {
    const { lease, answers } = this.#feed;
    try {
      await answers.run(lease.client, () => lease.client.query('ROLLBACK'));
      lease.giveBack();
    } catch (error) {
      lease.giveBack(error);
    }
  }
}

/** Rendered at once, on the main thread. */
const resourcesPerChunk = 500;
const removalsPerChunk = 10_000;

/** Reads a feed chunk by chunk from the state that the connection's transaction sees. */
class FeedCursor {
  readonly head: Head;
  readonly size: number;
  /** The catalog revision of the same state. */
  readonly catalogRevision: number;
  readonly #client: ClientBase;
  #hasRemovals: boolean;

  private constructor(client: ClientBase, station: OpenedStation, since: Head | undefined) {
    this.#client = client;
    this.head = station.head;
    this.size = station.counts.resources;
    this.catalogRevision = station.catalogRevision;
    this.#hasRemovals = since !== undefined;
  }

  /** Runs in the caller's snapshot transaction. */
  static async open(client: ClientBase, address: StationAddress, since?: Head): Promise<FeedCursor> {
    const station = await openStation(client, address);
    if (since) await requireKnownHead(client, station, since);
    // Tells the planner that all rows will be fetched.
    await client.query('SET LOCAL cursor_tuple_fraction = 1');
    if (since) await client.query(`DECLARE removals NO SCROLL CURSOR FOR ${removalsSql(station.id, since)}`);
    await client.query(`DECLARE resources NO SCROLL CURSOR FOR ${resourcesSql(station.id, since)}`);
    return new FeedCursor(client, station, since);
  }

  /** Undefined after the last chunk. */
  async next(): Promise<FeedChunk | undefined> {
    if (this.#hasRemovals) {
      const rows = await this.#fetch('removals', removalsPerChunk);
      if (rows.length > 0)
        return { put: RenderedResources.of([]), removed: rows.map((row) => row[0] as string) };
      this.#hasRemovals = false;
    }
    const rows = await this.#fetch('resources', resourcesPerChunk);
    if (rows.length === 0) return undefined;
    return { put: RenderedResources.of(rows.map((row) => toResource(row))), removed: [] };
  }

  async #fetch(cursor: string, count: number): Promise<unknown[][]> {
    const text = `FETCH ${count} FROM ${cursor}`;
    return (await this.#client.query<unknown[]>({ text, rowMode: 'array' })).rows;
  }
}

interface OpenedStation extends StationRow {
  /** Its revisions are still valid where their `rev_id` is known. */
  readonly previousEpoch: string | null;
  readonly catalogRevision: number;
}

async function openStation(client: ClientBase, address: StationAddress): Promise<OpenedStation> {
  const { rows } = await client.query<
    StoredStation & Pick<OpenedStation, 'previousEpoch' | 'catalogRevision'>
  >(
    `SELECT ${stationColumns}, previous_epoch AS "previousEpoch",
       (SELECT value::bigint FROM meta WHERE key = 'catalog_revision') AS "catalogRevision"
     FROM stations WHERE address = $1 AND ${isSound('stations')}`,
    [addressKey(address)],
  );
  if (!rows[0]) throw stationNotFound(address);
  const { previousEpoch, catalogRevision } = rows[0];
  return { ...toStation(rows[0]), previousEpoch, catalogRevision };
}

/**
 * A revision of the previous epoch counts if its `rev_id` is known: an epoch renewed without losses must not
 * make every node reload all stations.
 */
async function requireKnownHead(client: ClientBase, station: OpenedStation, since: Head): Promise<void> {
  const isOfPreviousEpoch = since.epoch === station.previousEpoch;
  const epoch = isOfPreviousEpoch ? station.head.epoch : since.epoch;
  requireKnownHistory(station, { ...since, epoch });
  const { rowCount } = await client.query(
    'SELECT 1 FROM revisions WHERE station_id = $1 AND revision = $2 AND rev_id = $3',
    [station.id, since.number, since.revId],
  );
  if (rowCount === 0) throw revisionExpired(since);
}

function resourcesSql(stationId: number, since: Head | undefined): string {
  const changed = since ? `AND revision > ${since.number}` : '';
  return `
    SELECT ${resourceColumns} FROM resources
    WHERE station_id = ${stationId} ${changed} AND ${isSound('resources')}`;
}

function removalsSql(stationId: number, since: Head): string {
  return `
    SELECT resource_id FROM past_versions p
    WHERE station_id = ${stationId} AND removed AND until_revision > ${since.number}
      AND ${isSound('past_versions', 'p')} AND ${isGone(`${stationId}`)}`;
}
