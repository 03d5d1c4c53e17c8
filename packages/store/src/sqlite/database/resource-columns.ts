import type { Resource } from '@roster/contract';
import { resourceColumnsOf, toResource, writtenColumns } from '../../shared/resource-columns.ts';

const integerColumns: ReadonlySet<string> = new Set(['alertable', 'alert_rules_count', 'state_since']);

/** The driver passes numbers as floating point, which have other checksums than stored integers. */
export function asInteger(expression: string): string {
  return `CAST(${expression} AS INTEGER)`;
}

/** Statements with these expressions have the parameters of `writeTime`. */
export const {
  merged: mergedColumn,
  mergedColumns,
  newColumns,
} = writtenColumns({ now: ':now', nowMs: ':nowMs' }, (column, expression) =>
  integerColumns.has(column) ? asInteger(expression) : expression,
);

/** The parameters that written values need. */
export type WriteTime = Readonly<{ now: string; nowMs: number }>;

export function writeTime(): WriteTime {
  const now = new Date();
  return { now: now.toISOString(), nowMs: now.getTime() };
}

/** The SQL of a row as a JSON array: one string is easier to send between threads than its columns. */
export function resourceAsJson(table: string): string {
  return `json_array(${resourceColumnsOf(table)})`;
}

export function parseResource(json: string): Resource {
  return toResource(JSON.parse(json));
}

export function parseOptionalResource(json: string | null): Resource | undefined {
  return json === null ? undefined : parseResource(json);
}
