import type { DatabaseSync } from 'node:sqlite';
import { invalidRecords, type RosterError } from '@roster/contract';
import type { BatchFaults, WriteResult } from '@roster/engine';
import { advanceRevision, recordRevision } from './advance-revision.ts';
import { findBatchFaults, hasRepeatedIds, type StagedBatch } from './find-batch-faults.ts';
import { findStationById } from './find-station.ts';
import { withLargeCache } from './open-database.ts';
import {
  indexAfterwards,
  insertIntoEmptyStation,
  mergeIntoStation,
  type RowsToWrite,
  setNamesAside,
} from './resource-writes.ts';
import { rollBack } from './run-transaction.ts';
import { isUniqueViolation } from './translate-error.ts';
import { addSeenTypes, type CatalogChange } from './type-catalog.ts';

/** From here on a batch gets what costs something to set up. */
const largeBatch = 10_000;

export interface BatchToCommit extends StagedBatch {
  readonly count: number;
  readonly labelByTypeKey: ReadonlyMap<string, string | undefined>;
}

export interface CommittedBatch {
  readonly result: WriteResult;
  readonly catalog: CatalogChange | undefined;
}

/** Undefined when the station is gone. */
export function commitBatch(db: DatabaseSync, batch: BatchToCommit): CommittedBatch | undefined {
  return batch.count < largeBatch ? commit(db, batch) : withLargeCache(db, () => commit(db, batch));
}

function commit(db: DatabaseSync, batch: BatchToCommit): CommittedBatch | undefined {
  const empty = isStationEmpty(db, batch.stationId);
  if (!empty && hasRepeatedIds(db, batch.table)) throw refusal(findBatchFaults(db, batch));
  try {
    return write(db, batch, { empty, namesMove: false });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const faults = findBatchFaults(db, batch);
    if (faults.total > 0) throw refusal(faults);
    return write(db, batch, { empty, namesMove: true });
  }
}

interface WriteMode {
  readonly empty: boolean;
  /** Names pass from one resource to another within the batch, which a row at a time cannot do. */
  readonly namesMove: boolean;
}

function write(db: DatabaseSync, batch: BatchToCommit, mode: WriteMode): CommittedBatch | undefined {
  const { stationId } = batch;
  db.exec('BEGIN IMMEDIATE');
  try {
    const head = advanceRevision(db, stationId);
    const highestId = highestResourceId(db);
    const changed = head ? writeRows(db, { ...batch, revision: head.number }, { ...mode, highestId }) : 0;
    if (!head || changed === 0) {
      db.exec('ROLLBACK');
      return unchangedBatch(db, batch);
    }
    // New rows get the ids that follow the highest one.
    const created = highestResourceId(db) - highestId;
    if (created > 0) dropTombstones(db, stationId, highestId);
    recordRevision(db, stationId, head);
    const catalog = addSeenTypes(db, batch.labelByTypeKey);
    db.exec('COMMIT');
    const counts = { created, updated: changed - created, unchanged: batch.count - changed, removed: 0 };
    return { result: { head, ...counts }, catalog };
  } catch (error) {
    rollBack(db);
    throw error;
  }
}

function writeRows(
  db: DatabaseSync,
  rows: RowsToWrite & { count: number },
  { empty, namesMove, highestId }: WriteMode & { highestId: number },
): number {
  if (namesMove) setNamesAside(db, rows);
  if (!empty) return mergeIntoStation(db, rows);
  const insert = () => insertIntoEmptyStation(db, rows);
  const mostlyNew = rows.count >= largeBatch && rows.count >= 4 * highestId;
  return mostlyNew ? indexAfterwards(db, insert) : insert();
}

function unchangedBatch(db: DatabaseSync, { stationId, count }: BatchToCommit): CommittedBatch | undefined {
  const station = findStationById(db, stationId);
  if (!station) return undefined;
  const result = { head: station.head, created: 0, updated: 0, unchanged: count, removed: 0 };
  return { result, catalog: undefined };
}

function isStationEmpty(db: DatabaseSync, stationId: number): boolean {
  return db.prepare('SELECT 1 FROM resources WHERE station_id = ? LIMIT 1').get(stationId) === undefined;
}

function highestResourceId(db: DatabaseSync): number {
  const row = db.prepare('SELECT max(id) AS id FROM resources').get() as { id: number | null };
  return row.id ?? 0;
}

function dropTombstones(db: DatabaseSync, stationId: number, highestIdBefore: number): void {
  if (!db.prepare('SELECT 1 FROM tombstones WHERE station_id = ? LIMIT 1').get(stationId)) return;
  db.prepare(
    `DELETE FROM tombstones
     WHERE station_id = ? AND resource_id IN (SELECT resource_id FROM resources WHERE id > ?)`,
  ).run(stationId, highestIdBefore);
}

function refusal({ faults, total }: BatchFaults): RosterError {
  return invalidRecords(faults, total);
}
