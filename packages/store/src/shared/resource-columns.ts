import { type Resource, resourceDefaults } from '@roster/contract';

/** The columns of one version of a resource, in the order that all statements use. */
export const resourceColumnNames = [
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
  'state_since',
  'labels',
] as const;

export const resourceColumns = resourceColumnNames.join(', ');

const plainColumns: readonly string[] = ['alertable', 'alert_rules_count', 'state_since'];

export const textColumnNames = resourceColumnNames.filter((column) => !plainColumns.includes(column));

/** The columns of a staged record: where it began, then its fields. */
export const stagedColumns = ['line', 'column_number', ...resourceColumnNames] as const;

/** The columns that a record may omit. */
export const optionalColumnNames = [
  'display_name',
  'product',
  'alertable',
  'state',
  'sku',
  'gpu_model',
  'alert_rules_count',
  'create_time',
  'state_since',
  'labels',
] as const satisfies readonly (typeof resourceColumnNames)[number][];

type OptionalColumn = (typeof optionalColumnNames)[number];

interface WrittenColumns {
  /** The value of a column when the staged record `s` overwrites the resource `r`, which may be missing. */
  merged(column: OptionalColumn): string;
  /** `resourceColumns` when the staged record `s` overwrites the resource `r`, which may be missing. */
  readonly mergedColumns: string;
  /** `resourceColumns` when the staged record `s` becomes a new resource. */
  readonly newColumns: string;
}

/** What a new resource has where its record omits it. `coalesce` evaluates it only if nothing precedes it. */
const defaults: Readonly<Record<Exclude<OptionalColumn, 'create_time' | 'state_since'>, string>> = {
  display_name: 's.name',
  product: `${defaultOfType('product')}, '${resourceDefaults.product}'`,
  alertable: `${defaultOfType('alertable')}, ${resourceDefaults.alertable}`,
  state: `'${resourceDefaults.state}'`,
  sku: `'${resourceDefaults.sku}'`,
  gpu_model: `'${resourceDefaults.gpuModel}'`,
  alert_rules_count: `${resourceDefaults.alertRulesCount}`,
  labels: `'${resourceDefaults.labels}'`,
};

/** SQL of the time of a write, for resources that come without times: as text, and in milliseconds. */
interface WriteTime {
  readonly now: string;
  readonly nowMs: string;
}

/** SQL for the written values. */
export function writtenColumns(
  { now, nowMs }: WriteTime,
  typed: (column: OptionalColumn, expression: string) => string = (_, expression) => expression,
): WrittenColumns {
  const all: Readonly<Record<OptionalColumn, string>> = { ...defaults, create_time: now, state_since: nowMs };
  const stored = (column: OptionalColumn) => (column === 'state_since' ? sinceUnlessNew : `r.${column}`);
  const merged = (column: OptionalColumn) =>
    typed(column, `coalesce(s.${column}, ${stored(column)}, ${all[column]})`);
  const inOrder = (expressionFor: (column: OptionalColumn) => string, required: (column: string) => string) =>
    resourceColumnNames
      .map((column) => (column in all ? expressionFor(column as OptionalColumn) : required(column)))
      .join(', ');
  const newColumn = (column: OptionalColumn) => typed(column, `coalesce(s.${column}, ${all[column]})`);
  const required = (column: string) => `s.${column}`;
  return {
    merged,
    mergedColumns: inOrder(merged, patchedColumn),
    newColumns: inOrder(newColumn, required),
  };
}

/** The value of a column that only a patch may omit, of a resource that exists. */
export function patchedColumn(column: string): string {
  return `coalesce(s.${column}, r.${column})`;
}

/** A resource keeps the time of its state while the state stays the same. */
const sinceUnlessNew = 'CASE WHEN r.state = coalesce(s.state, r.state) THEN r.state_since END';

function defaultOfType(column: 'product' | 'alertable'): string {
  return `(SELECT t.${column} FROM resource_types t WHERE t.key = s.type_key)`;
}

/** `resourceColumns` of one of several tables. */
export function resourceColumnsOf(table: string): string {
  return resourceColumnNames.map((column) => `${table}.${column}`).join(', ');
}

/** SQLite has no booleans. */
type ResourceRow = readonly [
  resourceId: string,
  name: string,
  displayName: string,
  typeKey: string,
  product: string,
  alertable: boolean | 0 | 1,
  state: string,
  sku: string,
  gpuModel: string,
  alertRulesCount: number,
  createTime: string,
  stateSinceMs: number,
  labels: string,
];

/** Reads the resource whose `resourceColumns` begin at a position of a row. */
export function toResource(row: readonly unknown[], at = 0): Resource {
  const columns = (at === 0 ? row : row.slice(at)) as ResourceRow;
  return {
    resourceId: columns[0],
    name: columns[1],
    displayName: columns[2],
    typeKey: columns[3],
    product: columns[4],
    alertable: Boolean(columns[5]),
    state: columns[6],
    sku: columns[7],
    gpuModel: columns[8],
    alertRulesCount: columns[9],
    createTime: columns[10],
    stateSinceMs: columns[11],
    labels: columns[12],
  };
}
