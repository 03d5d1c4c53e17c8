import { type Resource, resourceDefaults } from '@roster/contract';
import {
  defaultOfType,
  resourceColumnNames,
  toResource,
  writtenColumns,
} from '../../shared/resource-columns.ts';

export const resourceColumnCount = resourceColumnNames.length;

/** In statements with these expressions the first parameter is `now()`. */
export const {
  merged: mergedColumn,
  mergedColumns,
  newColumns,
} = writtenColumns({
  display_name: 's.name',
  product: `${defaultOfType('product')}, ${literal(resourceDefaults.product)}`,
  alertable: `${defaultOfType('alertable')}, ${resourceDefaults.alertable}`,
  state: literal(resourceDefaults.state),
  sku: literal(resourceDefaults.sku),
  gpu_model: literal(resourceDefaults.gpuModel),
  alert_rules_count: `${resourceDefaults.alertRulesCount}`,
  create_time: '$1',
  state_since: 'floor(extract(epoch FROM $1::text::timestamptz) * 1000)::bigint',
  labels: literal(resourceDefaults.labels),
});

function literal(text: string): string {
  return `'${text}'`;
}

/** The creation time of resources that come without one. */
export function now(): string {
  return new Date().toISOString();
}

/** Like `toResource`; undefined where an outer join found nothing. */
export function toOptionalResource(row: readonly unknown[], at: number): Resource | undefined {
  return row[at] === null ? undefined : toResource(row, at);
}
