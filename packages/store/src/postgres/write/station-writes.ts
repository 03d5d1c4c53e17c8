import type { Revision, StationAddress } from '@roster/contract';
import type { Head, WriteResult } from '@roster/engine';
import type { ClientBase } from 'pg';
import { randomEpoch, randomRevId } from '../../shared/random-identifiers.ts';
import { addressColumns, addressValues } from '../../shared/stations.ts';
import { requireRevision, resourceNotFound } from '../../shared/store-errors.ts';
import { addressKey, findStation, isStorable, requireStation } from '../schema/find-station.ts';
import { advanceRevision, completeRevision, nowMs } from './advance-revision.ts';
import { endVersions } from './resource-writes.ts';

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
  for (const table of ['resources', 'past_versions', 'revisions']) {
    await client.query(`DELETE FROM ${table} WHERE station_id = $1`, [id]);
  }
  await client.query('DELETE FROM stations WHERE id = $1', [id]);
  return id;
}

export interface ResourceToRemove {
  readonly address: StationAddress;
  readonly resourceId: string;
  readonly ifRevision: Revision | undefined;
}

export interface Removal {
  readonly stationId: number;
  readonly result: WriteResult;
}

export async function removeResource(client: ClientBase, removal: ResourceToRemove): Promise<Removal> {
  const { address, resourceId, ifRevision } = removal;
  const { id, head: before } = await requireStation(client, address, 'FOR NO KEY UPDATE');
  requireRevision(before, ifRevision);
  const station = (await advanceRevision(client, id))!;
  const { head } = station;
  const one = { of: 'WHERE r.resource_id = $4', values: [isStorable(resourceId) ? resourceId : null] };
  await endVersions(client, { stationId: id, revision: head.number, removed: true, ...one });
  const { rowCount } = await client.query(
    'DELETE FROM resources WHERE station_id = $1 AND resource_id = $2',
    [id, ...one.values],
  );
  if (rowCount === 0) throw resourceNotFound(resourceId);
  await completeRevision(client, station);
  const result = { head, created: 0, updated: 0, unchanged: 0, removed: 1, newTypes: [] };
  return { stationId: id, result };
}
