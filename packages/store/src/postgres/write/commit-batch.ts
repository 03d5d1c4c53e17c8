import { removalRefusal } from '@roster/contract';
import type { StationCounts, WriteResult } from '@roster/engine/port';
import type { ClientBase } from 'pg';
import type { BatchDifference, BatchToCommit } from '../../shared/batches.ts';
import type { StationChanges } from '../../shared/station-changes.ts';
import type { StationRow } from '../../shared/stations.ts';
import { requireRevision } from '../../shared/store-errors.ts';
import { runTransaction } from '../connection/run-transaction.ts';
import { isUniqueViolation } from '../connection/translate-error.ts';
import { findStationById } from '../schema/find-station.ts';
import { addSeenTypes } from '../schema/type-catalog.ts';
import { advanceRevision } from './advance-revision.ts';
import { compareBatch, requireNoFaults, requireNoRepeatedIds } from './compare-batch.ts';
import { insertIntoEmptyStation, type WrittenRows, writeDifference } from './resource-writes.ts';
import { preferLookups } from './staging-table.ts';

export interface CommittedBatch {
  readonly result: WriteResult;
  /** Those of the station after the batch. */
  readonly counts: StationCounts;
  /** Undefined if they are to be read. */
  readonly changes: StationChanges | undefined;
}

/** More would take much memory at once. */
const maxBytesRead = 8 * 1024 * 1024;

interface FollowedBatch extends BatchToCommit {
  /** Whether the index of this node will want to know what changes. */
  readonly isFollowed: boolean;
}

/** Undefined when the station is gone. */
export function commitBatch(client: ClientBase, batch: FollowedBatch): Promise<CommittedBatch | undefined> {
  return runTransaction(client, () => write(client, batch));
}

async function write(client: ClientBase, batch: FollowedBatch): Promise<CommittedBatch | undefined> {
  const { stationId, options, count, seenTypes } = batch;
  const station = await findStationById(client, stationId, 'FOR NO KEY UPDATE');
  if (!station) return undefined;
  requireRevision(station.head, options.ifRevision);
  const { created, updated, removed, put, ...tallies } = await writeOrExplain(client, batch, station);
  const counted = { created, updated, unchanged: count - created - updated, removed };
  const { head: since, counts: countsBefore } = station;
  if (created + updated + removed === 0) {
    return { result: { ...counted, head: since, newTypes: [] }, counts: countsBefore, changes: undefined };
  }
  const { head, counts } = await advanceRevision(client, station, tallies, options.changedBy);
  const newTypes = await addSeenTypes(client, seenTypes);
  // The catalog of this node does not have the new types yet.
  const isKnown = put !== undefined && newTypes.length === 0;
  const changes = isKnown ? { since, size: counts.resources, put, removed: [] } : undefined;
  return { result: { ...counted, head, newTypes }, counts, changes };
}

/** Looks for conflicts under the lock of the station: without it, another node could end them first. */
async function writeOrExplain(
  client: ClientBase,
  batch: FollowedBatch,
  station: StationRow,
): Promise<BatchDifference & WrittenRows> {
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
  batch: FollowedBatch,
  { id, head, counts }: StationRow,
): Promise<BatchDifference & WrittenRows> {
  const rows = { stationId: id, revision: head.number + 1 };
  if (!batch.patches && counts.resources === 0) {
    const written = await insertIntoEmptyStation(client, rows);
    const created = written.reduce((sum, { resources }) => sum + resources, 0);
    return { created, updated: 0, renamed: 0, removed: 0, put: undefined, written, ended: [] };
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
  // The ids of removed resources are not read here.
  const isRead = batch.isFollowed && difference.removed === 0 && difference.bytes <= maxBytesRead;
  return { ...difference, ...(await writeDifference(client, { ...rows, isRead }, difference)) };
}
