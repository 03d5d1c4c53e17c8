import { type StationAddress, stationKey, stationNotFound } from '@roster/contract';
import type { Head, StationCounts } from '@roster/engine';
import type { ClientBase } from 'pg';
import { isSound } from './row-checksums.ts';

export interface StationRow {
  readonly id: number;
  readonly head: Head;
  /** All changes after this revision are known. */
  readonly oldestRevision: number;
  /** The previous epoch; its revisions are still valid where their `rev_id` is known. */
  readonly previousEpoch: string | null;
  readonly counts: StationCounts;
}

/** The columns of a `StoredStation`. */
export const stationColumns = 'id, epoch, revision, rev_id, oldest_revision, previous_epoch, counts';

export interface StoredStation {
  readonly id: number;
  readonly epoch: string;
  readonly revision: number;
  readonly rev_id: string;
  readonly oldest_revision: number;
  readonly previous_epoch: string | null;
  readonly counts: StationCounts;
}

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

export async function findStationById(client: ClientBase, id: number): Promise<StationRow | undefined> {
  const { rows } = await client.query<StoredStation>(
    `SELECT ${stationColumns} FROM stations WHERE id = $1 AND ${isSound('stations')}`,
    [id],
  );
  return rows[0] && toStation(rows[0]);
}

export function toStation(row: StoredStation): StationRow {
  return {
    id: row.id,
    head: { epoch: row.epoch, number: row.revision, revId: row.rev_id },
    oldestRevision: row.oldest_revision,
    previousEpoch: row.previous_epoch,
    counts: row.counts,
  };
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
