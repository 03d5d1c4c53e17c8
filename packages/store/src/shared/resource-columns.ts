/** What a version of a resource consists of, in one order for all statements. */
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
] as const;

export const resourceColumns = resourceColumnNames.join(', ');

/** What is staged of a record: where it began, and then its columns. */
export const stagedColumns = ['line', 'column_number', ...resourceColumnNames] as const;

/** The columns that a record may leave out. */
export const optionalColumnNames = [
  'display_name',
  'product',
  'alertable',
  'state',
  'sku',
  'gpu_model',
  'alert_rules_count',
  'create_time',
] as const satisfies readonly (typeof resourceColumnNames)[number][];

type OptionalColumn = (typeof optionalColumnNames)[number];

export interface WrittenColumns {
  /** What a column becomes when the staged record `s` is written over the resource `r`, which may be missing. */
  merged(column: OptionalColumn): string;
  /** `resourceColumns` of a staged record `s` that is written over the resource `r`, which may be missing. */
  readonly mergedColumns: string;
  /** `resourceColumns` of a staged record `s` that becomes a new resource. */
  readonly newColumns: string;
}

/** Expressions for what is written, with what a new resource has where its record says nothing. */
export function writtenColumns(defaults: Readonly<Record<OptionalColumn, string>>): WrittenColumns {
  const merged = (column: OptionalColumn) => `coalesce(s.${column}, r.${column}, ${defaults[column]})`;
  const inOrder = (expressionFor: (column: OptionalColumn) => string) =>
    resourceColumnNames
      .map((column) => (column in defaults ? expressionFor(column as OptionalColumn) : `s.${column}`))
      .join(', ');
  const newColumn = (column: OptionalColumn) => `coalesce(s.${column}, ${defaults[column]})`;
  return { merged, mergedColumns: inOrder(merged), newColumns: inOrder(newColumn) };
}

/** Evaluated only where nothing comes before it in `coalesce`, so records that say everything pay nothing. */
export function defaultOfType(column: 'product' | 'alertable'): string {
  return `(SELECT t.${column} FROM resource_types t WHERE t.key = s.type_key)`;
}
