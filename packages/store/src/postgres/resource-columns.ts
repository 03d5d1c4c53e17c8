import { type Resource, resourceDefaults } from '@roster/contract';

const columns = [
  'resource_id',
  'name',
  'display_name',
  'type_key',
  'product',
  'alertable',
  'state',
  'sku',
  'gpu_model',
  'alert_rules_count',
  'create_time',
] as const;

type Column = (typeof columns)[number];

/** What a version of a resource consists of, in one order for all statements. */
export const resourceColumns = columns.join(', ');

export const resourceColumnCount = columns.length;

/** `resourceColumns` of one of several tables. */
export function resourceColumnsOf(table: string): string {
  return columns.map((column) => `${table}.${column}`).join(', ');
}

/** The columns that a record may leave out, with what a new resource then has. */
const optionalColumns = {
  display_name: 's.name',
  product: `${defaultOfType('product')}, ${literal(resourceDefaults.product)}`,
  alertable: `${defaultOfType('alertable')}, ${resourceDefaults.alertable}`,
  state: literal(resourceDefaults.state),
  sku: literal(resourceDefaults.sku),
  gpu_model: literal(resourceDefaults.gpuModel),
  alert_rules_count: `${resourceDefaults.alertRulesCount}`,
  create_time: '$1',
} as const satisfies Partial<Record<Column, string>>;

type OptionalColumn = keyof typeof optionalColumns;

/** Evaluated only where nothing comes before it in `coalesce`, so records that say everything pay nothing. */
function defaultOfType(column: 'product' | 'alertable'): string {
  return `(SELECT t.${column} FROM resource_types t WHERE t.key = s.type_key)`;
}

function literal(text: string): string {
  return `'${text}'`;
}

export const optionalColumnNames = Object.keys(optionalColumns) as OptionalColumn[];

/**
 * What a column becomes when the staged record `s` is written over the resource `r`, which may be missing.
 * The first parameter of the statement is `now()` of this module.
 */
export function mergedColumn(column: OptionalColumn): string {
  return `coalesce(s.${column}, r.${column}, ${optionalColumns[column]})`;
}

/** `resourceColumns` of a staged record `s` that is written over the resource `r`, which may be missing. */
export const mergedColumns = inOrder(mergedColumn);

/** `resourceColumns` of a staged record `s` that becomes a new resource. */
export const newColumns = inOrder((column) => `coalesce(s.${column}, ${optionalColumns[column]})`);

function inOrder(expressionFor: (column: OptionalColumn) => string): string {
  return columns
    .map((column) => (column in optionalColumns ? expressionFor(column as OptionalColumn) : `s.${column}`))
    .join(', ');
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
