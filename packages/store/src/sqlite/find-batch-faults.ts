import type { DatabaseSync } from 'node:sqlite';
import { limits, quote, type RecordFault } from '@roster/contract';
import type { BatchFaults } from '@roster/engine';

export interface StagedBatch {
  /** The staging table, as SQL names it. */
  readonly table: string;
  readonly stationId: number;
}

export function hasRepeatedIds(db: DatabaseSync, table: string): boolean {
  const sql = `SELECT 1 FROM ${table} GROUP BY resource_id HAVING count(*) > 1 LIMIT 1`;
  return db.prepare(sql).get() !== undefined;
}

/**
 * What keeps a batch from being written. A name may belong to another resource of the station as long as
 * the batch gives that resource another name; two resources of the batch may never share one.
 */
export function findBatchFaults(db: DatabaseSync, batch: StagedBatch): BatchFaults {
  const rows = db
    .prepare(faultsSql(batch.table))
    .all({ station: batch.stationId, max: limits.maxReportedFaults });
  const found = rows as unknown as FaultRow[];
  return { faults: found.map(toFault), total: found[0]?.total ?? 0 };
}

interface FaultRow {
  readonly line: number;
  readonly kind: 'repeated_id' | 'repeated_name' | 'taken_name';
  readonly value: string;
  readonly first_line: number | null;
  readonly owner: string | null;
  readonly total: number;
}

/** The unary plus keeps SQLite from searching by position, which takes quadratic time, instead of by value. */
function faultsSql(table: string): string {
  return `
    WITH repeated_ids AS (
      SELECT resource_id, min(position) AS first FROM ${table} GROUP BY resource_id HAVING count(*) > 1
    ), repeated_names AS (
      SELECT name, min(position) AS first FROM ${table} GROUP BY name HAVING count(*) > 1
    ), faults AS (
      SELECT s.line, s.position, 'repeated_id' AS kind, s.resource_id AS value, f.line AS first_line, NULL AS owner
      FROM ${table} s
      JOIN repeated_ids r ON r.resource_id = s.resource_id AND +s.position > r.first
      JOIN ${table} f ON f.position = r.first
      UNION ALL
      SELECT s.line, s.position, 'repeated_name', s.name, f.line, NULL
      FROM ${table} s
      JOIN repeated_names r ON r.name = s.name AND +s.position > r.first
      JOIN ${table} f ON f.position = r.first AND f.resource_id <> s.resource_id
      UNION ALL
      SELECT s.line, s.position, 'taken_name', s.name, NULL, r.resource_id
      FROM ${table} s
      CROSS JOIN resources r ON r.station_id = :station AND r.name = s.name AND r.resource_id <> s.resource_id
      WHERE r.resource_id NOT IN (SELECT resource_id FROM ${table})
    )
    SELECT line, kind, value, first_line, owner, count(*) OVER () AS total
    FROM faults
    ORDER BY line, position, kind
    LIMIT :max
  `;
}

function toFault({ line, kind, value, first_line, owner }: FaultRow): RecordFault {
  switch (kind) {
    case 'repeated_id':
      return { line, field: 'resource_id', reason: `${quote(value)} is already on line ${first_line}` };
    case 'repeated_name':
      return { line, field: 'name', reason: `${quote(value)} is already the name on line ${first_line}` };
    case 'taken_name':
      return { line, field: 'name', reason: `${quote(value)} belongs to the resource ${quote(owner)}` };
  }
}
