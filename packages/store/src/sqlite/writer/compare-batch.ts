import type { DatabaseSync } from 'node:sqlite';
import { limits } from '@roster/contract';
import type { BatchErrors } from '@roster/engine/port';
import {
  type BatchDifference,
  recordDiffers,
  type StagedBatch as SharedStagedBatch,
} from '../../shared/batches.ts';
import {
  type FaultRow,
  recordFaultsSql,
  refuseRecordErrors,
  toBatchFaults,
} from '../../shared/record-errors.ts';
import { mergedColumns, type WriteTime } from '../database/resource-columns.ts';
import { isSound, textsChecksum } from '../database/row-checksums.ts';
import { getRow, getRows, hasRow } from '../database/rows.ts';

export interface StagedBatch extends SharedStagedBatch {
  /** The staging table, as SQL names it. */
  readonly table: string;
  /** The columns that any record has; the others stay as they are. */
  readonly given: ReadonlySet<string>;
}

/**
 * `changing` holds records that create a resource (no id) or update one, and then the checksum of its new texts.
 * `leaving` holds the resources that a replace removes, by resource id.
 */
export function createComparisonTables(db: DatabaseSync): void {
  db.exec(`
    CREATE TEMP TABLE changing (position INTEGER PRIMARY KEY, id INTEGER, renames INTEGER, checksum INTEGER);
    CREATE TEMP TABLE leaving (position INTEGER PRIMARY KEY, id INTEGER);
  `);
}

/**
 * Plans and commits agree because both start here. Runs in the caller's transaction. Throws `data_damaged` when a
 * resource to update is damaged: omitted fields would be taken from it, and a new checksum would hide the damage.
 */
export function compareBatch(db: DatabaseSync, batch: StagedBatch, time: WriteTime): BatchDifference {
  db.exec('DELETE FROM temp.changing; DELETE FROM temp.leaving');
  const station = { station: batch.stationId };
  db.prepare(changingSql(batch.table)).run({ ...station, ...time });
  const removed = batch.replaces ? db.prepare(leavingSql(batch.table)).run(station).changes : 0;
  const changing = getRow<Omit<BatchDifference, 'removed'>>(
    db,
    `SELECT count(*) - count(id) AS created, count(id) AS updated, coalesce(sum(renames), 0) AS renamed
     FROM temp.changing`,
  )!;
  return { ...changing, removed: Number(removed) };
}

function changingSql(table: string): string {
  return `
    INSERT INTO temp.changing (position, id, renames, checksum)
    SELECT s.position, r.id, r.name <> s.name, CASE
      WHEN r.id IS NOT NULL AND ${isSound('resources', 'r')}
      THEN coalesce(s.checksum, ${textsChecksum(mergedColumns)})
    END
    FROM ${table} s
    LEFT JOIN resources r ON r.station_id = :station AND r.resource_id = s.resource_id
    WHERE r.id IS NULL OR ${recordDiffers}
  `;
}

function leavingSql(table: string): string {
  return `
    INSERT INTO temp.leaving (id)
    SELECT id FROM resources INDEXED BY resources_by_resource_id
    WHERE station_id = :station AND resource_id NOT IN (SELECT resource_id FROM ${table})
    ORDER BY resource_id
  `;
}

/** Throws `invalid_records` when an id is repeated: such a batch cannot be compared with a station. */
export function requireNoRepeatedIds(db: DatabaseSync, batch: StagedBatch): void {
  const sql = `SELECT 1 FROM ${batch.table} GROUP BY resource_id HAVING count(*) > 1 LIMIT 1`;
  if (hasRow(db, sql)) requireNoFaults(db, batch);
}

/** Throws `invalid_records` with everything that keeps the batch from being written. */
export function requireNoFaults(db: DatabaseSync, batch: StagedBatch): void {
  refuseRecordErrors(findRecordErrors(db, batch));
}

export function findRecordErrors(
  db: DatabaseSync,
  { table, stationId: station, replaces, patches }: StagedBatch,
): BatchErrors {
  const sql = recordFaultsSql({
    table,
    // The unary plus keeps SQLite from searching by position, which takes quadratic time.
    position: '+s.position',
    join: 'CROSS JOIN',
    isRenamed: `r.resource_id IN (SELECT resource_id FROM ${table} WHERE name IS NOT NULL)`,
    station: ':station',
    replaces: ':replaces',
    patches: ':patches',
    limit: ':max',
  });
  const flags = { replaces: Number(replaces), patches: Number(patches) };
  const values = { station, ...flags, max: limits.maxReportedErrors };
  return toBatchFaults(getRows<FaultRow>(db, sql, values));
}
