import { type StationAddress, stationNotFound } from '@roster/contract';
import type { Head, StationCounts } from '@roster/engine';
import type { ClientBase } from 'pg';
import { addressKey } from './station-address-key.ts';

export interface StationRow {
  readonly id: number;
  readonly head: Head;
  /** All changes after this revision are known. */
  readonly oldestRevision: number;
  /** The epoch before this one, whose revisions are still part of the history where their `rev_id` is. */
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
    `SELECT ${stationColumns} FROM stations WHERE address = $1 ${lock}`,
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
  const { rows } = await client.query<StoredStation>(`SELECT ${stationColumns} FROM stations WHERE id = $1`, [
    id,
  ]);
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
