import { stationKey } from '@roster/contract';
import type { Station } from '@roster/engine/port';
import type { ClientBase } from 'pg';
import {
  addressColumns,
  type StoredAddress,
  type StoredStation,
  stationColumns,
  toAddress,
  toStation,
} from '../../shared/stations.ts';
import { isSound } from '../schema/row-checksums.ts';

interface KnownStation {
  readonly version: string;
  readonly station: Station;
}

/** All stations as last read. Only those that have changed since are read again. */
export class AllStations {
  #known = new Map<number, KnownStation>();
  #stations: readonly Station[] = [];
  #fingerprint = '';
  #running: Promise<void> = Promise.resolve();
  #next: Promise<readonly Station[]> | undefined;

  /**
   * As of now. Those who ask while a question runs share the next one: the running one may miss a write that was
   * acknowledged since.
   */
  ask(run: <T>(read: (client: ClientBase) => Promise<T>) => Promise<T>): Promise<readonly Station[]> {
    if (this.#next !== undefined) return this.#next;
    const next = this.#running.then(() => {
      this.#next = undefined;
      return run((client) => this.#read(client));
    });
    this.#running = next.then(nothing, nothing);
    this.#next = next;
    return next;
  }

  /** Runs in a snapshot transaction. */
  async #read(client: ClientBase): Promise<readonly Station[]> {
    const { rows } = await client.query<{ fingerprint: string }>(fingerprintSql);
    const { fingerprint } = rows[0]!;
    if (fingerprint === this.#fingerprint) return this.#stations;
    const listed = await client.query<[id: number, version: string]>({
      text: `SELECT id, ${version} FROM stations`,
      rowMode: 'array',
    });
    const kept = new Map<number, KnownStation>();
    const changed = new Map<number, string>();
    for (const [id, current] of listed.rows) {
      const known = this.#known.get(id);
      if (known?.version === current) kept.set(id, known);
      else changed.set(id, current);
    }
    for (const station of await readStations(client, [...changed.keys()])) {
      kept.set(station.id, { version: changed.get(station.id)!, station: station.station });
    }
    this.#known = kept;
    this.#stations = inOrder([...kept.values()].map(({ station }) => station));
    this.#fingerprint = fingerprint;
    return this.#stations;
  }
}

function nothing(): void {}

/** Changes with every write, and when an epoch is renewed. */
const version = "epoch || ' ' || rev_id";

const fingerprintSql = `
  SELECT concat_ws(' ', count(*), sum(hashtextextended(${version}, id))) AS fingerprint FROM stations
`;

async function readStations(
  client: ClientBase,
  ids: readonly number[],
): Promise<{ id: number; station: Station }[]> {
  const { rows } = await client.query<StoredStation & StoredAddress>(
    `SELECT ${stationColumns}, ${addressColumns.join(', ')} FROM stations
     WHERE id = ANY($1) AND ${isSound('stations')}`,
    [ids],
  );
  return rows.map((row) => {
    const { id, head, counts } = toStation(row);
    return { id, station: { address: toAddress(row), head, counts } };
  });
}

function inOrder(stations: Station[]): Station[] {
  return stations.sort((a, b) => (stationKey(a.address) < stationKey(b.address) ? -1 : 1));
}
