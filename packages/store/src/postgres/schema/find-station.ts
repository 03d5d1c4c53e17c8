import { type StationAddress, stationKey, stationNotFound } from '@roster/contract';
import type { ClientBase } from 'pg';
import { type StationRow, type StoredStation, stationColumns, toStation } from '../../shared/stations.ts';
import { isSound } from './row-checksums.ts';

type Lock = '' | 'FOR UPDATE' | 'FOR NO KEY UPDATE';

export async function findStation(
  client: ClientBase,
  address: StationAddress,
  lock: Lock = '',
): Promise<StationRow | undefined> {
  const { rows } = await client.query<StoredStation>(
    `SELECT ${stationColumns} FROM stations WHERE address = $1 AND ${isSound('stations')} ${lock}`,
    [addressKey(address)],
  );
  return rows[0] && toStation(rows[0]);
}

export async function requireStation(
  client: ClientBase,
  address: StationAddress,
  lock: Lock = '',
): Promise<StationRow> {
  const station = await findStation(client, address, lock);
  if (!station) throw stationNotFound(address);
  return station;
}

export async function findStationById(
  client: ClientBase,
  id: number,
  lock: Lock = '',
): Promise<StationRow | undefined> {
  const { rows } = await client.query<StoredStation>(
    `SELECT ${stationColumns} FROM stations WHERE id = $1 AND ${isSound('stations')} ${lock}`,
    [id],
  );
  return rows[0] && toStation(rows[0]);
}

/**
 * The value of `stations.address`: the names in big-endian UTF-16, joined by a separator below all
 * characters. It sorts stations by UTF-16 code units, and any text can be looked up.
 */
export function addressKey(address: StationAddress): Buffer {
  return Buffer.from(stationKey(address), 'utf16le').swap16();
}

/** Whether PostgreSQL can store a text. Ids and names that it cannot store never exist. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/**
 * SQL of a station's id, for lookups of single rows. PostgreSQL takes it for a station of average size. One that it knows
 * to be missing from its statistics it takes for empty: any index that begins with stations would do then, and it
 * would read the whole station for each row.
 */
export function averageStation(id: string): string {
  return `(SELECT ${id}::bigint)`;
}
