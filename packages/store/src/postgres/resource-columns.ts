import { type Resource, resourceDefaults } from '@roster/contract';
import { defaultOfType, resourceColumnNames, writtenColumns } from '../shared/resource-columns.ts';

export const resourceColumnCount = resourceColumnNames.length;

/** `resourceColumns` of one of several tables. */
export function resourceColumnsOf(table: string): string {
  return resourceColumnNames.map((column) => `${table}.${column}`).join(', ');
}

/** The first parameter of statements with these expressions is `now()` of this module. */
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
});

function literal(text: string): string {
  return `'${text}'`;
}

/** The time that new resources get which come without one. */
export function now(): string {
  return new Date().toISOString();
}

/** `resourceColumns` as the driver gives them in array mode. */
type ResourceRow = readonly [
  resourceId: string,
  name: string,
  displayName: string,
  typeKey: string,
  product: string,
  alertable: boolean,
  state: string,
  sku: string,
  gpuModel: string,
  alertRulesCount: number,
  createTime: string,
];

/** Reads the resource that begins at a column of a row. */
export function toResource(row: readonly unknown[], at = 0): Resource {
  const columns = (at === 0 ? row : row.slice(at)) as ResourceRow;
  return {
    resourceId: columns[0],
    name: columns[1],
    displayName: columns[2],
    typeKey: columns[3],
    product: columns[4],
    alertable: columns[5],
    state: columns[6],
    sku: columns[7],
    gpuModel: columns[8],
    alertRulesCount: columns[9],
    createTime: columns[10],
  };
}

/** As `toResource`; undefined where an outer join found nothing. */
export function toOptionalResource(row: readonly unknown[], at: number): Resource | undefined {
  return row[at] === null ? undefined : toResource(row, at);
}
