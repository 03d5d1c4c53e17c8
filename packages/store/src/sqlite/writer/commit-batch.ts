import type { DatabaseSync } from 'node:sqlite';
import { type Revision, removalRefusal } from '@roster/contract';
import type { StationCounts, WriteResult } from '@roster/engine/port';
import type { BatchDifference, BatchToCommit as SharedBatchToCommit } from '../../shared/batches.ts';
import type { AdvancedStation } from '../../shared/stations.ts';
import { requireRevision } from '../../shared/store-errors.ts';
import { findStationById } from '../database/find-station.ts';
import { withLargeCache } from '../database/open-database.ts';
import { writeTime } from '../database/resource-columns.ts';
import { rollBack } from '../database/run-transaction.ts';
import { isUniqueViolation } from '../database/translate-error.ts';
import { addSeenTypes, type CatalogChange } from '../database/type-catalog.ts';
import { advanceRevision, completeRevision } from './advance-revision.ts';
import { compareBatch, requireNoFaults, requireNoRepeatedIds, type StagedBatch } from './compare-batch.ts';
import { insertStaged, isStationEmpty, newParameters, writeDifference } from './resource-writes.ts';

/** Batches of this size get a large cache. */
const largeBatch = 10_000;

export type BatchToCommit = StagedBatch & SharedBatchToCommit;

export interface CommittedBatch {
  readonly result: WriteResult;
  readonly counts: StationCounts;
  readonly catalog: CatalogChange | undefined;
  /** Undefined unless it was written early. */
  readonly early?: EarlyDefaults;
}

/** What an early write takes for fields that records omit. */
export interface EarlyDefaults {
  readonly nowMs: number;
  /** The revision of the catalog whose types have the other defaults. */
  readonly catalogRevision: number;
}

/** A commit that has locked the database, but has not written any resource yet. */
export interface BegunCommit {
  readonly since: Revision;
  /** The time that it writes where records omit it. */
  readonly nowMs: number;
}

type OnBegun = (begun: BegunCommit) => void;

/** Undefined when the station is gone. `onBegun` is called unless it is empty. */
export function commitBatch(
  db: DatabaseSync,
  batch: BatchToCommit,
  onBegun?: OnBegun,
): CommittedBatch | undefined {
  const mayRemove = batch.replaces ? findStationById(db, batch.stationId)?.counts.resources : 0;
  const isLarge = batch.count + (mayRemove ?? 0) >= largeBatch;
  return isLarge ? withLargeCache(db, () => commit(db, batch, onBegun)) : commit(db, batch, onBegun);
}

function commit(db: DatabaseSync, batch: BatchToCommit, onBegun?: OnBegun): CommittedBatch | undefined {
  db.exec('BEGIN IMMEDIATE');
  try {
    const committed = write(db, batch, onBegun);
    db.exec(committed ? 'COMMIT' : 'ROLLBACK');
    return committed ?? unchangedBatch(db, batch);
  } catch (error) {
    rollBack(db);
    if (isUniqueViolation(error)) requireNoFaults(db, batch);
    throw error;
  }
}

/** Undefined when there is nothing to write, or no station to write to. */
function write(db: DatabaseSync, batch: BatchToCommit, onBegun?: OnBegun): CommittedBatch | undefined {
  const station = beginRevision(db, batch);
  if (!station) return undefined;
  const difference = writeRows(db, batch, station, onBegun);
  const { created, updated, removed } = difference;
  return created + updated + removed === 0 ? undefined : completeBatch(db, batch, station, difference);
}

/** Undefined when there is no station to write to. */
export function beginRevision(db: DatabaseSync, batch: BatchToCommit): AdvancedStation | undefined {
  const station = advanceRevision(db, batch.stationId);
  if (station) {
    const { head } = station;
    requireRevision({ ...head, number: head.number - 1 }, batch.options.ifRevision);
  }
  return station;
}

/** Completes a batch whose resources are written. */
export function completeBatch(
  db: DatabaseSync,
  batch: BatchToCommit,
  station: AdvancedStation,
  difference: BatchDifference,
): CommittedBatch {
  const { created, updated, removed } = difference;
  const counts = completeRevision(db, station, difference, batch.options.changedBy);
  const catalog = addSeenTypes(db, batch.seenTypes);
  const newTypes = catalog?.types.map(({ key }) => key).sort() ?? [];
  const unchanged = batch.count - created - updated;
  return { result: { head: station.head, created, updated, unchanged, removed, newTypes }, counts, catalog };
}

function writeRows(
  db: DatabaseSync,
  batch: BatchToCommit,
  { head, counts: { resources } }: AdvancedStation,
  onBegun?: OnBegun,
): BatchDifference {
  const time = writeTime();
  const rows = { ...batch, revision: head.number, time };
  if (!batch.patches && isStationEmpty(db, batch.stationId)) {
    const created = insertStaged(db, batch.table, newParameters(rows));
    return { created, updated: 0, renamed: 0, removed: 0 };
  }
  onBegun?.({ since: { epoch: head.epoch, number: head.number - 1 }, nowMs: time.nowMs });
  requireNoRepeatedIds(db, batch);
  const difference = compareBatch(db, batch, time);
  if (batch.patches && difference.created > 0) requireNoFaults(db, batch);
  const refusal = removalRefusal(difference.removed, resources, batch.options.allowRemoval ?? 'half');
  if (refusal) {
    requireNoFaults(db, batch);
    throw refusal;
  }
  writeDifference(db, rows, difference);
  return difference;
}

function unchangedBatch(db: DatabaseSync, { stationId, count }: BatchToCommit): CommittedBatch | undefined {
  const station = findStationById(db, stationId);
  if (!station) return undefined;
  const result = { head: station.head, created: 0, updated: 0, unchanged: count, removed: 0, newTypes: [] };
  return { result, counts: station.counts, catalog: undefined };
}
