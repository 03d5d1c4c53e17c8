import { invalidRecords, quote, type RecordError } from '@roster/contract';
import type { BatchErrors } from '@roster/engine/port';

/** A conflict of a staged record, as found by a store's query. */
export interface FaultRow {
  readonly line: number;
  readonly column_number: number | null;
  readonly kind: 'repeated_id' | 'repeated_name' | 'taken_name' | 'unknown_id';
  readonly value: string;
  readonly first_line: number | null;
  readonly first_column: number | null;
  readonly owner: string | null;
  /** How many there are in all. */
  readonly total: number;
}

export function toBatchFaults(rows: readonly FaultRow[]): BatchErrors {
  return { errors: rows.map(toError), total: rows[0]?.total ?? 0 };
}

/** Throws `invalid_records` when there are errors. */
export function refuseRecordErrors({ errors, total }: BatchErrors): void {
  if (total > 0) throw invalidRecords(errors, total);
}

function toError(row: FaultRow): RecordError {
  const error = { line: row.line, column: row.column_number ?? undefined };
  const value = quote(row.value);
  switch (row.kind) {
    case 'repeated_id':
      return { ...error, field: 'resource_id', reason: `${value} is already on ${firstPlace(row)}` };
    case 'repeated_name':
      return { ...error, field: 'name', reason: `${value} is already the name on ${firstPlace(row)}` };
    case 'taken_name':
      return { ...error, field: 'name', reason: `${value} belongs to the resource ${quote(row.owner)}` };
    case 'unknown_id':
      return { ...error, field: 'resource_id', reason: `${value} is not in the station` };
  }
}

function firstPlace({ first_line, first_column }: FaultRow): string {
  const isBeginning = first_column === null || first_column === 1;
  return isBeginning ? `line ${first_line}` : `line ${first_line}, column ${first_column}`;
}

interface RecordFaultsSql {
  readonly table: string;
  /** How SQL names the position of the staged record `s` when it compares positions. */
  readonly position: string;
  /** In SQLite a `CROSS JOIN` keeps the order of the tables. */
  readonly join: 'JOIN' | 'CROSS JOIN';
  /** The condition that the batch gives the resource `r` a name. */
  readonly isRenamed: string;
  readonly station: string;
  readonly replaces: string;
  readonly patches: string;
  readonly limit: string;
}

/**
 * Finds what keeps a batch from being written, as `FaultRow`s. A name may belong to another resource of the station if
 * the batch removes or renames that resource; two records of the batch may never share one. A patch must know all ids.
 */
export function recordFaultsSql(sql: RecordFaultsSql): string {
  const { table, position, join, isRenamed, station, replaces, patches, limit } = sql;
  return `
    WITH repeated_ids AS (
      SELECT resource_id, min(position) AS first FROM ${table} GROUP BY resource_id HAVING count(*) > 1
    ), repeated_names AS (
      SELECT name, min(position) AS first FROM ${table} WHERE name IS NOT NULL GROUP BY name HAVING count(*) > 1
    ), errors AS (
      SELECT s.position, 'repeated_id' AS kind, s.resource_id AS value, r.first, NULL AS owner
      FROM ${table} s
      JOIN repeated_ids r ON r.resource_id = s.resource_id AND ${position} > r.first
      UNION ALL
      SELECT s.position, 'repeated_name', s.name, r.first, NULL
      FROM ${table} s
      JOIN repeated_names r ON r.name = s.name AND ${position} > r.first
      JOIN ${table} f ON f.position = r.first AND f.resource_id <> s.resource_id
      UNION ALL
      SELECT s.position, 'taken_name', s.name, NULL, r.resource_id
      FROM ${table} s
      ${join} resources r ON r.station_id = ${station} AND r.name = s.name AND r.resource_id <> s.resource_id
      WHERE NOT ${replaces} AND NOT ${isRenamed}
      UNION ALL
      SELECT s.position, 'unknown_id', s.resource_id, NULL, NULL
      FROM ${table} s
      WHERE ${patches} AND NOT EXISTS (
        SELECT 1 FROM resources r WHERE r.station_id = ${station} AND r.resource_id = s.resource_id
      )
    )
    SELECT
      s.line, s.column_number, kind, value, f.line AS first_line, f.column_number AS first_column, owner,
      count(*) OVER () AS total
    FROM errors
    ${join} ${table} s ON s.position = errors.position
    LEFT JOIN ${table} f ON f.position = errors.first
    ORDER BY s.line, s.position, kind
    LIMIT ${limit}
  `;
}
