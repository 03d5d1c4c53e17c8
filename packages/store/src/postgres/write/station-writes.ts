import type { Revision, StationAddress } from '@roster/contract';
import type { Head } from '@roster/engine/port';
import type { ClientBase } from 'pg';
import { randomEpoch, randomRevId } from '../../shared/random-identifiers.ts';
import { addressColumns, addressValues } from '../../shared/stations.ts';
import { requireRevision } from '../../shared/store-errors.ts';
import { addressKey, findStation, requireStation } from '../schema/find-station.ts';
import { nowMs } from './advance-revision.ts';

export interface CreatedStation {
  readonly id: number;
  readonly created: boolean;
  readonly head: Head;
}

/** Runs in the caller's transaction, like all functions here. */
export async function createStation(client: ClientBase, address: StationAddress): Promise<CreatedStation> {
  for (;;) {
    const head = { epoch: randomEpoch(), number: 0, revId: randomRevId() };
    const { rows } = await client.query<{ id: number }>(
      `WITH created AS (
         INSERT INTO stations (address, ${addressColumns.join(', ')}, epoch, revision, rev_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (address) DO NOTHING
         RETURNING id
       ), recorded AS (
         INSERT INTO revisions (station_id, revision, rev_id, committed_ms)
         SELECT id, $7, $8, ${nowMs} FROM created
       )
       SELECT id FROM created`,
      [addressKey(address), ...addressValues(address), head.epoch, head.number, head.revId],
    );
    if (rows[0]) return { id: rows[0].id, created: true, head };
    // The station that was in the way may be gone by now.
    const existing = await findStation(client, address);
    if (existing) return { id: existing.id, created: false, head: existing.head };
  }
}

/**
 * Returns the id of the deleted station, if there was one. Works on a damaged station too, unless the
 * deletion depends on its revision.
 */
export async function deleteStation(
  client: ClientBase,
  address: StationAddress,
  ifRevision: Revision | undefined,
): Promise<number | undefined> {
  const { rows } = await client.query<{ id: number }>(
    'SELECT id FROM stations WHERE address = $1 FOR UPDATE',
    [addressKey(address)],
  );
  if (!rows[0]) return undefined;
  const { id } = rows[0];
  if (ifRevision) requireRevision((await requireStation(client, address)).head, ifRevision);
  for (const table of ['resources', 'past_versions', 'alerting', 'revisions', 'trends']) {
    await client.query(`DELETE FROM ${table} WHERE station_id = $1`, [id]);
  }
  await client.query('DELETE FROM stations WHERE id = $1', [id]);
  return id;
}
