import { fullState, shortState } from '../../../format/state.ts';
import { type ListFilters, labelKey } from '../../../navigation/filter-parameters.ts';
import { selectedTypes, withTypes } from '../../../navigation/filter-search.ts';

/** Facets whose values are a list in the filters. */
const listMembers = {
  gpu_model: 'gpuModels',
  sku: 'skus',
  station: 'stations',
  subscription: 'subscriptions',
  resource_group: 'resourceGroups',
  zone: 'zones',
} as const satisfies Record<string, keyof ListFilters>;

const isListField = (field: string): field is keyof typeof listMembers => field in listMembers;

/** The values of a field that the filters ask for. */
export function selectedValues(filters: ListFilters, field: string): readonly string[] {
  if (field === 'state') return (filters.states ?? []).map(fullState);
  if (field === 'resource_type') return selectedTypes(filters) ?? [];
  if (field === 'product') return filters.product === undefined ? [] : [filters.product];
  if (field === 'covered') return filters.covered === undefined ? [] : [String(filters.covered)];
  if (isListField(field)) return filters[listMembers[field]] ?? [];
  return filters.labels?.[labelKey(field) ?? ''] ?? [];
}

/** The filters with exactly these values of a field; with none, the field is not filtered. */
export function withValues(filters: ListFilters, field: string, values: readonly string[]): ListFilters {
  const has = values.length > 0;
  if (field === 'state') return put(filters, 'states', has ? values.map(shortState) : undefined);
  if (field === 'resource_type') return withTypes(filters, values);
  if (field === 'product') return put(filters, 'product', values.at(-1));
  if (field === 'covered') return put(filters, 'covered', has ? values.at(-1) === 'true' : undefined);
  if (isListField(field)) return put(filters, listMembers[field], has ? values : undefined);
  const { [labelKey(field) ?? '']: _, ...labels } = filters.labels ?? {};
  const all = has ? { ...labels, [labelKey(field) ?? '']: values } : labels;
  return put(filters, 'labels', Object.keys(all).length === 0 ? undefined : all);
}

/** The filters with a value added, or taken out if it is among them. */
export function toggled(filters: ListFilters, field: string, value: string): ListFilters {
  const before = selectedValues(filters, field);
  const after = before.includes(value) ? before.filter((each) => each !== value) : [...before, value];
  return withValues(filters, field, after);
}

function put(filters: ListFilters, member: keyof ListFilters, value: unknown): ListFilters {
  const { [member]: _, ...rest } = filters;
  return value === undefined ? rest : { ...rest, [member]: value };
}

const stationFields = ['state', 'covered', 'resource_type', 'product', 'gpu_model', 'sku'];
const placeFields = ['station', 'zone', 'subscription'];

/** Where these are asked for, the server looks only at what it keeps together for all stations. */
function isNarrow({ states, covered }: ListFilters): boolean {
  const isInactive = (state: string) => fullState(state) === 'ALERTSTATE_INACTIVE';
  return covered === false || (states !== undefined && !states.some(isInactive));
}

/** The facets to show: of all stations, those that cost nothing more than the list itself. */
export function facetFields(
  filters: ListFilters,
  isEverywhere: boolean,
  labelKeys: readonly string[],
): string[] {
  const labels = [...new Set([...Object.keys(filters.labels ?? {}), ...labelKeys])].map(
    (key) => `label.${key}`,
  );
  if (!isEverywhere) return [...stationFields, ...labels];
  const costly = ['state', 'covered'];
  const cheap = isNarrow(filters) ? stationFields.filter((field) => !costly.includes(field)) : stationFields;
  return [...placeFields, ...cheap, ...labels];
}
