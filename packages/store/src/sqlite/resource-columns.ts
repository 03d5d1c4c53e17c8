import { resourceDefaults } from '@roster/contract';

/** What a version of a resource consists of, in one order for all statements. */
export const resourceColumns =
  'resource_id, name, display_name, type_key, product, alertable, state, sku, gpu_model, alert_rules_count, create_time';

/** The columns that a record may leave out, with what a new resource then has. */
const optionalColumns = {
  display_name: 's.name',
  product: `${defaultOfType('product')}, :product`,
  alertable: `${defaultOfType('alertable')}, :alertable`,
  state: ':state',
  sku: ':sku',
  gpu_model: ':gpuModel',
  alert_rules_count: ':alertRulesCount',
  create_time: ':now',
} as const;

type OptionalColumn = keyof typeof optionalColumns;

/** Evaluated only where nothing comes before it in `coalesce`, so records that say everything pay nothing. */
function defaultOfType(column: 'product' | 'alertable'): string {
  return `(SELECT t.${column} FROM resource_types t WHERE t.key = s.type_key)`;
}

export const optionalColumnNames = Object.keys(optionalColumns) as OptionalColumn[];

/** What a column becomes when the staged record `s` is written over the resource `r`, which may be missing. */
export function mergedColumn(column: OptionalColumn): string {
  return `coalesce(s.${column}, r.${column}, ${optionalColumns[column]})`;
}

/** `resourceColumns` of a staged record `s` that is written over the resource `r`, which may be missing. */
export const mergedColumns = inOrder(mergedColumn);

/** `resourceColumns` of a staged record `s` that becomes a new resource. */
export const newColumns = inOrder((column) => `coalesce(s.${column}, ${optionalColumns[column]})`);

function inOrder(expressionFor: (column: OptionalColumn) => string): string {
  return resourceColumns
    .split(', ')
    .map((column) => (column in optionalColumns ? expressionFor(column as OptionalColumn) : `s.${column}`))
    .join(', ');
}

/** The parameters of the expressions above. */
export function defaultParameters(): Record<string, string | number> {
  return {
    ...resourceDefaults,
    alertable: Number(resourceDefaults.alertable),
    now: new Date().toISOString(),
  };
}
