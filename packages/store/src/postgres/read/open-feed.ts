import { RosterError, type StationAddress, stationNotFound } from '@roster/contract';
import {
  type Feed,
  type FeedChunk,
  type Head,
  RenderedResources,
  type StationPart,
} from '@roster/engine/port';
import type { ClientBase } from 'pg';
import { FeedChunks } from '../../shared/feed-chunks.ts';
import { isGone, requireKnownHistory, revisionExpired } from '../../shared/history.ts';
import { resourceColumnsOf, toResource } from '../../shared/resource-columns.ts';
import { type StationRow, type StoredStation, stationColumns, toStation } from '../../shared/stations.ts';
import type { AnswerWatch } from '../connection/answer-watch.ts';
import type { ConnectionPool, Lease } from '../connection/connection-pool.ts';
import { isSqlError, translateError } from '../connection/translate-error.ts';
import type { HeadQuestions } from '../heads/head-questions.ts';
import type { KnownStations } from '../heads/known-stations.ts';
import { renewLostEpochs } from '../heads/lineage-check.ts';
import { addressKey, averageStation } from '../schema/find-station.ts';
import { selectPart } from '../schema/resource-columns.ts';
import { isSound } from '../schema/row-checksums.ts';

export interface FeedSource {
  readonly server: string;
  readonly readOnly: boolean;
  readonly readers: ConnectionPool;
  readonly answers: AnswerWatch;
  readonly writers: ConnectionPool;
  readonly questions: HeadQuestions;
  readonly known: KnownStations;
}

export interface FeedContents {
  readonly since: Head | undefined;
  /** Only without `since`. */
  readonly part: StationPart;
}

/** Opens a feed, with all types of its resources in the catalog. */
export async function openFeed(
  source: FeedSource,
  address: StationAddress,
  contents: FeedContents,
): Promise<Feed> {
  const { server, readers, answers, questions } = source;
  const lease = await readers.take();
  const { client } = lease;
  try {
    const station = await answers.run(client, async () => {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      return declareCursors(client, address, contents);
    });
    await questions.reachCatalog(station.catalogRevision);
    const chunks = readFeed(source, lease, contents.since !== undefined);
    return { head: station.head, size: station.counts.resources, chunks };
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    lease.giveBack(error);
    if (error instanceof RosterError && error.code === 'revision_expired') await renewIfLost(source, address);
    throw translateError(error, server);
  }
}

/** A history that does not continue where this node is may have lost its tail. */
async function renewIfLost(source: FeedSource, address: StationAddress): Promise<void> {
  const { writers, known, readOnly } = source;
  const station = known.get(address);
  if (station && !readOnly) await writers.use((client) => renewLostEpochs(client, [station]));
}

/** Reads a feed from the declared cursors, then gives the connection back. */
function readFeed({ answers, server }: FeedSource, lease: Lease, hasRemovals: boolean): FeedChunks {
  const { client } = lease;
  const next = nextChunk(client, hasRemovals);
  return new FeedChunks({
    next: () =>
      answers.run(client, next).catch((error) => {
        throw translateError(error, server);
      }),
    async close(failure) {
      let error = failure instanceof RosterError ? failure.cause : failure;
      // Otherwise the next user of this connection would find its transaction open. Unlike a rollback, a commit ends
      // the cursors in order, so what they have read can be logged.
      if (error === undefined || isSqlError(error)) {
        await answers
          .run(client, () => client.query('COMMIT'))
          .catch((failed) => {
            error ??= failed;
          });
      }
      lease.giveBack(error);
    },
  });
}

/** Rendered at once, on the main thread. */
const resourcesPerChunk = 500;
const removalsPerChunk = 10_000;

/** Runs in the caller's snapshot transaction. */
async function declareCursors(
  client: ClientBase,
  address: StationAddress,
  { since, part }: FeedContents,
): Promise<OpenedStation> {
  const station = await openStation(client, address);
  if (since) await requireKnownHead(client, station, since);
  // Tells the planner that all rows will be fetched.
  await client.query('SET LOCAL cursor_tuple_fraction = 1');
  if (since) await client.query(`DECLARE removals NO SCROLL CURSOR FOR ${removalsSql(station.id, since)}`);
  await client.query(`DECLARE resources NO SCROLL CURSOR FOR ${resourcesSql(station.id, since, part)}`);
  return station;
}

/** Fetches one chunk per call from the declared cursors; undefined after the last one. */
function nextChunk(client: ClientBase, hasRemovals: boolean): () => Promise<FeedChunk | undefined> {
  let mayHaveRemovals = hasRemovals;
  const fetch = async (cursor: string, count: number) => {
    const text = `FETCH ${count} FROM ${cursor}`;
    return (await client.query<unknown[]>({ text, rowMode: 'array' })).rows;
  };
  return async () => {
    if (mayHaveRemovals) {
      const rows = await fetch('removals', removalsPerChunk);
      if (rows.length > 0)
        return { put: RenderedResources.of([]), removed: rows.map((row) => row[0] as string) };
      mayHaveRemovals = false;
    }
    const rows = await fetch('resources', resourcesPerChunk);
    if (rows.length === 0) return undefined;
    return { put: RenderedResources.of(rows.map((row) => toResource(row))), removed: [] };
  };
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

function resourcesSql(stationId: number, since: Head | undefined, part: StationPart): string {
  return since ? changedSql(stationId, since) : selectPart(resourceColumnsOf('r'), part, `= ${stationId}`);
}

/** No index has the revisions of resources. The offset keeps PostgreSQL from reading the whole station. */
function changedSql(stationId: number, { number }: Head): string {
  return `
    SELECT ${resourceColumnsOf('r')}
    FROM (
      SELECT resource_id FROM past_versions WHERE station_id = ${stationId} AND until_revision > ${number}
      UNION
      SELECT resource_id FROM resources WHERE station_id = ${stationId} AND created_revision > ${number}
    ) changed, LATERAL (
      SELECT * FROM resources x
      WHERE x.station_id = ${averageStation(`${stationId}`)} AND x.resource_id = changed.resource_id AND ${isSound('resources', 'x')}
      OFFSET 0
    ) r`;
}

function removalsSql(stationId: number, since: Head): string {
  return `
    SELECT resource_id FROM past_versions p
    WHERE station_id = ${stationId} AND removed AND until_revision > ${since.number}
      AND ${isSound('past_versions', 'p')} AND ${isGone(averageStation(`${stationId}`))}`;
}
