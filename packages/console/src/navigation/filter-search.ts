import {
  type FilterParameter,
  kindOf,
  type ListFilters,
  labelKey,
  labelParameter,
  parameters,
} from './filter-parameters.ts';

const booleans: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'true', 'True', 'TRUE'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'false', 'False', 'FALSE'].map((text) => [text, false] as const),
]);

/** An empty value counts as absent, as in the interface. */
const readers = {
  text: (search: URLSearchParams, name: string) => search.get(name) || undefined,
  list: (search: URLSearchParams, name: string) => {
    const items = [...new Set(search.getAll(name).flatMap(splitItems))];
    return items.length === 0 ? undefined : items;
  },
  boolean: (search: URLSearchParams, name: string) => booleans.get(search.get(name) ?? ''),
  switch: (search: URLSearchParams, name: string) => booleans.get(search.get(name) ?? '') || undefined,
};

/** Leaves out what `isFilterReadable` refuses, and parameters of others. */
export function parseFilters(search: URLSearchParams): ListFilters {
  const found = Object.entries(parameters).map(([member, { name, kind }]) => [
    member,
    readers[kind](search, name),
  ]);
  const labels = [...new Set(search.keys())]
    .map((name) => [labelKey(name), readers.list(search, name)])
    .filter(([key, values]) => key !== undefined && values !== undefined);
  return {
    ...Object.fromEntries(found.filter(([, value]) => value !== undefined)),
    ...(labels.length === 0 ? {} : { labels: Object.fromEntries(labels) }),
  };
}

/** False for parameters of others, and where only the server can say what is wrong. */
export function isFilterReadable(search: URLSearchParams, name: string): boolean {
  const kind = kindOf(name);
  if (kind === undefined) return false;
  if (kind === 'list') return true;
  const [value, ...more] = search.getAll(name);
  return more.length === 0 && (kind === 'text' || value === '' || booleans.has(value!));
}

/** Splits at commas, blanks and line breaks. */
export function splitItems(text: string): string[] {
  return text
    .split(/[,\n]/)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Uses the names of the interface, to keep URLs readable and their queries reusable. */
export function formatFilters(filters: ListFilters): URLSearchParams {
  return new URLSearchParams(filterTexts(filters).map(({ parameter, text }) => [parameter, text]));
}

interface FilterText {
  readonly parameter: FilterParameter;
  /** Its value in the URL. */
  readonly text: string;
}

/** The filters that are set, each label on its own. */
export function filterTexts({ labels = {}, ...filters }: ListFilters): FilterText[] {
  const set = (Object.keys(parameters) as (keyof typeof parameters)[]).filter(
    (member) => filters[member] !== undefined,
  );
  return [
    ...set.map((member) => ({ parameter: parameters[member].name, text: String(filters[member]) })),
    ...Object.entries(labels).map(([key, values]) => ({
      parameter: labelParameter(key),
      text: String(values),
    })),
  ];
}

export function without(filters: ListFilters, parameter: FilterParameter): ListFilters {
  const search = formatFilters(filters);
  search.delete(parameter);
  return parseFilters(search);
}

/** The selected types from either parameter; undefined if both are set, which means AND. */
export function selectedTypes({ resourceType, resourceTypes }: ListFilters): readonly string[] | undefined {
  if (resourceType === undefined) return resourceTypes ?? [];
  return resourceTypes === undefined ? [resourceType] : undefined;
}

export function withTypes(filters: ListFilters, types: readonly string[]): ListFilters {
  const { resourceType: _, resourceTypes: __, ...rest } = filters;
  if (types.length === 0) return rest;
  return types.length === 1 ? { ...rest, resourceType: types[0]! } : { ...rest, resourceTypes: types };
}

export function withLabel(filters: ListFilters, key: string, value: string): ListFilters {
  return { ...filters, labels: { ...filters.labels, [key]: [value] } };
}
