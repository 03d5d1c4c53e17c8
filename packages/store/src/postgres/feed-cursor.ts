import { type StationAddress, stationNotFound } from '@roster/contract';
import { type ChangePart, type Head, PackedResources } from '@roster/engine';
import type { ClientBase } from 'pg';
import { requireKnownHistory, revisionExpired } from '../shared/require-known-history.ts';
import { resourceColumns } from '../shared/resource-columns.ts';
import { type StationRow, type StoredStation, stationColumns, toStation } from './find-station.ts';
import { toResource } from './resource-columns.ts';
import { addressKey } from './station-address-key.ts';

/** They are rendered at one go, on the main thread. */
const resourcesPerPart = 500;
const removalsPerPart = 10_000;

/** Reads one feed, part by part, from the state that the connection's transaction sees. */
export class FeedCursor {
  readonly head: Head;
  readonly expectedSize: number;
  /** The catalog revision of the same state. */
  readonly catalogRevision: number;
  readonly #client: ClientBase;
  #hasRemovals: boolean;

  private constructor(client: ClientBase, station: OpenedStation, since: Head | undefined) {
    this.#client = client;
    this.head = station.head;
    this.expectedSize = station.counts.resources;
    this.catalogRevision = station.catalogRevision;
    this.#hasRemovals = since !== undefined;
  }

  /** The caller has begun a transaction that sees one state of the database. */
  static async open(client: ClientBase, address: StationAddress, since?: Head): Promise<FeedCursor> {
    const station = await openStation(client, address);
    if (since) await requireKnownHead(client, station, since);
    // All rows will be fetched, which the planner otherwise doubts.
    await client.query('SET LOCAL cursor_tuple_fraction = 1');
    if (since) await client.query(`DECLARE removals NO SCROLL CURSOR FOR ${removalsSql(station.id, since)}`);
    await client.query(`DECLARE resources NO SCROLL CURSOR FOR ${resourcesSql(station.id, since)}`);
    return new FeedCursor(client, station, since);
  }

  /** Undefined after the last part. */
  async next(): Promise<ChangePart | undefined> {
    if (this.#hasRemovals) {
      const rows = await this.#fetch('removals', removalsPerPart);
      if (rows.length > 0)
        return { put: PackedResources.of([]), removed: rows.map((row) => row[0] as string) };
      this.#hasRemovals = false;
    }
    const rows = await this.#fetch('resources', resourcesPerPart);
    if (rows.length === 0) return undefined;
    return { put: PackedResources.of(rows.map((row) => toResource(row))), removed: [] };
  }

  async #fetch(cursor: string, count: number): Promise<unknown[][]> {
    const text = `FETCH ${count} FROM ${cursor}`;
    return (await this.#client.query<unknown[]>({ text, rowMode: 'array' })).rows;
  }
}

interface OpenedStation extends StationRow {
  readonly catalogRevision: number;
}

async function openStation(client: ClientBase, address: StationAddress): Promise<OpenedStation> {
  const { rows } = await client.query<StoredStation & { catalog_revision: number }>(
    `SELECT ${stationColumns},
       (SELECT value::bigint FROM meta WHERE key = 'catalog_revision') AS catalog_revision
     FROM stations WHERE address = $1`,
    [addressKey(address)],
  );
  if (!rows[0]) throw stationNotFound(address);
  return { ...toStation(rows[0]), catalogRevision: rows[0].catalog_revision };
}

/**
 * A revision of the epoch before counts where its `rev_id` is known: an epoch that had to be renewed although
 * nothing was lost shall not make every node read all stations anew.
 */
async function requireKnownHead(client: ClientBase, station: StationRow, since: Head): Promise<void> {
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
  return `SELECT ${resourceColumns} FROM resources WHERE station_id = ${stationId} ${changed}`;
}

/** A resource that came back is put, not removed; one that was removed again is told of once, the last time. */
function removalsSql(stationId: number, since: Head): string {
  return `
    SELECT resource_id FROM past_versions p
    WHERE station_id = ${stationId} AND removed AND until_revision > ${since.number}
      AND NOT EXISTS (
        SELECT 1 FROM resources r WHERE r.station_id = ${stationId} AND r.resource_id = p.resource_id
      )
      AND NOT EXISTS (
        SELECT 1 FROM past_versions later
        WHERE later.station_id = ${stationId} AND later.resource_id = p.resource_id
          AND later.until_revision > p.until_revision
      )`;
}
