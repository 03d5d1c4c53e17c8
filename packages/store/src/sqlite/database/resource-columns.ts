import { type Resource, resourceDefaults } from '@roster/contract';
import {
  defaultOfType,
  resourceColumnsOf,
  toResource,
  writtenColumns,
} from '../../shared/resource-columns.ts';

const integerColumns: ReadonlySet<string> = new Set(['alertable', 'alert_rules_count', 'state_since']);

/** The driver passes numbers as floating point, which have other checksums than stored integers. */
export function asInteger(expression: string): string {
  return `CAST(${expression} AS INTEGER)`;
}

export const {
  merged: mergedColumn,
  mergedColumns,
  newColumns,
} = writtenColumns(
  {
    display_name: 's.name',
    product: `${defaultOfType('product')}, :product`,
    alertable: `${defaultOfType('alertable')}, :alertable`,
    state: ':state',
    sku: ':sku',
    gpu_model: ':gpuModel',
    alert_rules_count: ':alertRulesCount',
    create_time: ':now',
    state_since: ':nowMs',
    labels: ':labels',
  },
  (column, expression) => (integerColumns.has(column) ? asInteger(expression) : expression),
);

export function defaultParameters(): Record<string, string | number> {
  const now = new Date();
  return {
    ...resourceDefaults,
    alertable: Number(resourceDefaults.alertable),
    now: now.toISOString(),
    nowMs: now.getTime(),
  };
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
