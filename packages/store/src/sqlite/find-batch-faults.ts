import type { DatabaseSync } from 'node:sqlite';
import { limits } from '@roster/contract';
import type { BatchFaults } from '@roster/engine';
import { type FaultRow, refuseFaults, toBatchFaults } from '../shared/fault-rows.ts';

export interface StagedBatch {
  /** The staging table, as SQL names it. */
  readonly table: string;
  readonly stationId: number;
  /** The batch also removes every resource that it does not name. */
  readonly replaces: boolean;
}

/** Throws `invalid_records` when an id comes twice, since such a batch cannot be compared with a station. */
export function requireNoRepeatedIds(db: DatabaseSync, batch: StagedBatch): void {
  const sql = `SELECT 1 FROM ${batch.table} GROUP BY resource_id HAVING count(*) > 1 LIMIT 1`;
  if (db.prepare(sql).get() !== undefined) requireNoFaults(db, batch);
}

/** Throws `invalid_records` with whatever keeps the batch from being written. */
export function requireNoFaults(db: DatabaseSync, batch: StagedBatch): void {
  refuseFaults(findBatchFaults(db, batch));
}

/**
 * What keeps a batch from being written. A name may belong to another resource of the station as long as
 * the batch removes that resource or gives it another name; two resources of the batch may never share one.
 */
export function findBatchFaults(db: DatabaseSync, batch: StagedBatch): BatchFaults {
  const { table, stationId: station, replaces } = batch;
  const rows = db
    .prepare(faultsSql(table))
    .all({ station, replaces: Number(replaces), max: limits.maxReportedFaults });
  return toBatchFaults(rows as unknown as FaultRow[]);
}

/** The unary plus keeps SQLite from searching by position, which takes quadratic time, instead of by value. */
function faultsSql(table: string): string {
  return `
    WITH repeated_ids AS (
      SELECT resource_id, min(position) AS first FROM ${table} GROUP BY resource_id HAVING count(*) > 1
    ), repeated_names AS (
      SELECT name, min(position) AS first FROM ${table} GROUP BY name HAVING count(*) > 1
    ), faults AS (
      SELECT s.position, 'repeated_id' AS kind, s.resource_id AS value, r.first, NULL AS owner
      FROM ${table} s
      JOIN repeated_ids r ON r.resource_id = s.resource_id AND +s.position > r.first
      UNION ALL
      SELECT s.position, 'repeated_name', s.name, r.first, NULL
      FROM ${table} s
      JOIN repeated_names r ON r.name = s.name AND +s.position > r.first
      JOIN ${table} f ON f.position = r.first AND f.resource_id <> s.resource_id
      UNION ALL
      SELECT s.position, 'taken_name', s.name, NULL, r.resource_id
      FROM ${table} s
      CROSS JOIN resources r ON r.station_id = :station AND r.name = s.name AND r.resource_id <> s.resource_id
      WHERE NOT :replaces AND r.resource_id NOT IN (SELECT resource_id FROM ${table})
    )
    SELECT
      s.line, s.column_number, kind, value, f.line AS first_line, f.column_number AS first_column, owner,
      count(*) OVER () AS total
    FROM faults
    CROSS JOIN ${table} s ON s.position = faults.position
    LEFT JOIN ${table} f ON f.position = faults.first
    ORDER BY s.line, s.position, kind
    LIMIT :max
  `;
}
