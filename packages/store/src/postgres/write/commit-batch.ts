import { removalRefusal } from '@roster/contract';
import type { WriteResult } from '@roster/engine/port';
import type { ClientBase } from 'pg';
import type { BatchDifference, BatchToCommit } from '../../shared/batches.ts';
import type { AdvancedStation } from '../../shared/stations.ts';
import { requireRevision } from '../../shared/store-errors.ts';
import { runTransaction } from '../connection/run-transaction.ts';
import { isUniqueViolation } from '../connection/translate-error.ts';
import { findStationById } from '../schema/find-station.ts';
import { addSeenTypes } from '../schema/type-catalog.ts';
import { advanceRevision, completeRevision } from './advance-revision.ts';
import { compareBatch, requireNoFaults, requireNoRepeatedIds } from './compare-batch.ts';
import { insertIntoEmptyStation, writeDifference } from './resource-writes.ts';
import { preferLookups } from './staging-table.ts';

/** Undefined when the station is gone. */
export async function commitBatch(
  client: ClientBase,
  batch: BatchToCommit,
): Promise<WriteResult | undefined> {
  try {
    const written = await runTransaction(client, () => write(client, batch));
    return written ?? (await unchangedBatch(client, batch));
  } catch (error) {
    if (isUniqueViolation(error)) await requireNoFaults(client, batch);
    throw error;
  }
}

/** Undefined when there is nothing to write, or no station to write to. */
async function write(client: ClientBase, batch: BatchToCommit): Promise<WriteResult | undefined> {
  const station = await advanceRevision(client, batch.stationId);
  if (!station) return undefined;
  const { head } = station;
  requireRevision({ ...head, number: head.number - 1 }, batch.options.ifRevision);
  const { created, updated, removed } = await writeRows(client, batch, station);
  if (created + updated + removed === 0) return undefined;
  await completeRevision(client, station, batch.options.changedBy);
  const newTypes = await addSeenTypes(client, batch.seenTypes);
  return { head, created, updated, unchanged: batch.count - created - updated, removed, newTypes };
}

async function writeRows(
  client: ClientBase,
  batch: BatchToCommit,
  { id, head, counts }: AdvancedStation,
): Promise<BatchDifference> {
  const rows = { stationId: id, revision: head.number };
  if (!batch.patches && counts.resources === 0) {
    const created = await insertIntoEmptyStation(client, rows);
    return { created, updated: 0, renamed: 0, removed: 0 };
  }
  if (!batch.replaces) await preferLookups(client, batch.count);
  await requireNoRepeatedIds(client, batch);
  const difference = await compareBatch(client, batch);
  if (batch.patches && difference.created > 0) await requireNoFaults(client, batch);
  const refusal = removalRefusal(difference.removed, counts.resources, batch.options.allowRemoval ?? 'half');
  if (refusal) {
    await requireNoFaults(client, batch);
    throw refusal;
  }
  await writeDifference(client, rows, difference);
  return difference;
}

async function unchangedBatch(
  client: ClientBase,
  { stationId, count }: BatchToCommit,
): Promise<WriteResult | undefined> {
  const station = await findStationById(client, stationId);
  if (!station) return undefined;
  return { head: station.head, created: 0, updated: 0, unchanged: count, removed: 0, newTypes: [] };
}
