import type { DatabaseSync } from 'node:sqlite';
import { limits } from '@roster/contract';
import type { BatchErrors } from '@roster/engine';
import type { StagedBatch as SharedStagedBatch } from '../../shared/batches.ts';
import {
  type FaultRow,
  recordFaultsSql,
  refuseRecordErrors,
  toBatchFaults,
} from '../../shared/record-errors.ts';

export interface StagedBatch extends SharedStagedBatch {
  /** The staging table, as SQL names it. */
  readonly table: string;
}

/** Throws `invalid_records` when an id is repeated: such a batch cannot be compared with a station. */
export function requireNoRepeatedIds(db: DatabaseSync, batch: StagedBatch): void {
  const sql = `SELECT 1 FROM ${batch.table} GROUP BY resource_id HAVING count(*) > 1 LIMIT 1`;
  if (db.prepare(sql).get() !== undefined) requireNoFaults(db, batch);
}

/** Throws `invalid_records` with everything that keeps the batch from being written. */
export function requireNoFaults(db: DatabaseSync, batch: StagedBatch): void {
  refuseRecordErrors(findRecordErrors(db, batch));
}

export function findRecordErrors(
  db: DatabaseSync,
  { table, stationId: station, replaces }: StagedBatch,
): BatchErrors {
  const sql = recordFaultsSql({
    table,
    // The unary plus keeps SQLite from searching by position, which takes quadratic time.
    position: '+s.position',
    join: 'CROSS JOIN',
    isInBatch: `r.resource_id IN (SELECT resource_id FROM ${table})`,
    station: ':station',
    replaces: ':replaces',
    limit: ':max',
  });
  const rows = db.prepare(sql).all({ station, replaces: Number(replaces), max: limits.maxReportedErrors });
  return toBatchFaults(rows as unknown as FaultRow[]);
}
