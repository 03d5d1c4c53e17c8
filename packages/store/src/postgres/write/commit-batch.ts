import { removalRefusal } from '@roster/contract';
import type { WriteResult } from '@roster/engine/port';
import type { ClientBase } from 'pg';
import type { BatchDifference, BatchToCommit } from '../../shared/batches.ts';
import type { StationRow } from '../../shared/stations.ts';
import { requireRevision } from '../../shared/store-errors.ts';
import { runTransaction } from '../connection/run-transaction.ts';
import { isUniqueViolation } from '../connection/translate-error.ts';
import { findStationById } from '../schema/find-station.ts';
import { addSeenTypes } from '../schema/type-catalog.ts';
import { advanceRevision, type WrittenTallies } from './advance-revision.ts';
import { compareBatch, requireNoFaults, requireNoRepeatedIds } from './compare-batch.ts';
import { insertIntoEmptyStation, writeDifference } from './resource-writes.ts';
import { preferLookups } from './staging-table.ts';

/** Undefined when the station is gone. */
export function commitBatch(client: ClientBase, batch: BatchToCommit): Promise<WriteResult | undefined> {
  return runTransaction(client, () => write(client, batch));
}

async function write(client: ClientBase, batch: BatchToCommit): Promise<WriteResult | undefined> {
  const { stationId, options, count, seenTypes } = batch;
  const station = await findStationById(client, stationId, 'FOR NO KEY UPDATE');
  if (!station) return undefined;
  requireRevision(station.head, options.ifRevision);
  const { created, updated, removed, ...tallies } = await writeOrExplain(client, batch, station);
  const counted = { created, updated, unchanged: count - created - updated, removed };
  if (created + updated + removed === 0) return { ...counted, head: station.head, newTypes: [] };
  const head = await advanceRevision(client, station, tallies, options.changedBy);
  return { ...counted, head, newTypes: await addSeenTypes(client, seenTypes) };
}

/** Looks for conflicts under the lock of the station: without it, another node could end them first. */
async function writeOrExplain(
  client: ClientBase,
  batch: BatchToCommit,
  station: StationRow,
): Promise<BatchDifference & WrittenTallies> {
  await client.query('SAVEPOINT locked');
  try {
    return await writeRows(client, batch, station);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    await client.query('ROLLBACK TO SAVEPOINT locked');
    await requireNoFaults(client, batch);
    throw error;
  }
}

async function writeRows(
  client: ClientBase,
  batch: BatchToCommit,
  { id, head, counts }: StationRow,
): Promise<BatchDifference & WrittenTallies> {
  const rows = { stationId: id, revision: head.number + 1 };
  if (!batch.patches && counts.resources === 0) {
    const written = await insertIntoEmptyStation(client, rows);
    const created = written.reduce((sum, { resources }) => sum + resources, 0);
    return { created, updated: 0, renamed: 0, removed: 0, written, ended: [] };
  }
  if (!batch.replaces) await preferLookups(client, batch.count);
  await requireNoRepeatedIds(client, batch);
  const difference = await compareBatch(client, batch, counts.resources);
  if (batch.patches && difference.created > 0) await requireNoFaults(client, batch);
  const refusal = removalRefusal(difference.removed, counts.resources, batch.options.allowRemoval ?? 'half');
  if (refusal) {
    await requireNoFaults(client, batch);
    throw refusal;
  }
  return { ...difference, ...(await writeDifference(client, rows, difference)) };
}
