import type { Filters } from '@roster/client';

/** The URL parameter for the resource in the side panel; all others belong to the interface. */
export const openResource = 'resource';

const filterNames = [
  'resource_display_name_prefix',
  'resource_type',
  'resource_types',
  'product',
  'enabled_alert',
  'resource_ids',
] as const;
type FilterName = (typeof filterNames)[number];

const parameters: Readonly<Record<keyof Filters, FilterName>> = {
  displayNamePrefix: 'resource_display_name_prefix',
  resourceType: 'resource_type',
  resourceTypes: 'resource_types',
  product: 'product',
  enabledAlert: 'enabled_alert',
  resourceIds: 'resource_ids',
};

/** The wire name of a filter. */
export function parameterOf(name: keyof Filters): string {
  return parameters[name];
}

const trueTexts = ['1', 't', 'T', 'true', 'True', 'TRUE'];
const falseTexts = ['0', 'f', 'F', 'false', 'False', 'FALSE'];

export interface ParsedFilters {
  readonly filters: Filters;
  /** False when a filter was left out and only the server can say what is wrong with it. */
  readonly isComplete: boolean;
}

export function parseFilters(search: URLSearchParams): ParsedFilters {
  const alert = search.get('enabled_alert') ?? '';
  const isSwitch = [...trueTexts, ...falseTexts, ''].includes(alert);
  return {
    filters: {
      ...present('displayNamePrefix', search.get('resource_display_name_prefix')),
      ...present('resourceType', search.get('resource_type')),
      ...present('resourceTypes', items(search, 'resource_types')),
      ...present('product', search.get('product')),
      ...(trueTexts.includes(alert) ? { enabledAlert: true } : {}),
      ...present('resourceIds', items(search, 'resource_ids')),
    },
    isComplete: isSwitch && [...search.keys()].every((name) => isReadable(search, name)),
  };
}

function isReadable(search: URLSearchParams, name: string): boolean {
  if (name === openResource) return true;
  return (
    (filterNames as readonly string[]).includes(name) && (isList(name) || search.getAll(name).length === 1)
  );
}

function isList(name: string): boolean {
  return name === 'resource_types' || name === 'resource_ids';
}

/** An empty value counts as absent, as in the interface. */
function present<Name extends string, Value extends string | readonly string[]>(
  name: Name,
  value: Value | null,
): Partial<Record<Name, Value>> {
  return value === null || value.length === 0 ? {} : ({ [name]: value } as Record<Name, Value>);
}

function items(search: URLSearchParams, name: FilterName): string[] {
  const all = search.getAll(name).flatMap(splitItems);
  return [...new Set(all)];
}

/** Splits at commas, blanks and line breaks. */
export function splitItems(text: string): string[] {
  return text
    .split(/[,\n]/)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Uses the names and the order of the interface, to keep URLs readable and their queries reusable. */
export function formatFilters(filters: Filters): URLSearchParams {
  const values: Record<FilterName, string | undefined> = {
    resource_display_name_prefix: filters.displayNamePrefix,
    resource_type: filters.resourceType,
    resource_types: filters.resourceTypes?.join(','),
    product: filters.product,
    enabled_alert: filters.enabledAlert ? 'true' : undefined,
    resource_ids: filters.resourceIds?.join(','),
  };
  const search = new URLSearchParams();
  for (const name of filterNames) if (values[name]) search.set(name, values[name]);
  return search;
}

/** The selected types from either parameter; undefined if both are set, which means AND. */
export function selectedTypes({ resourceType, resourceTypes }: Filters): readonly string[] | undefined {
  if (resourceType === undefined) return resourceTypes ?? [];
  return resourceTypes === undefined ? [resourceType] : undefined;
}

export function withTypes(filters: Filters, types: readonly string[]): Filters {
  const { resourceType: _, resourceTypes: __, ...rest } = filters;
  if (types.length === 0) return rest;
  return types.length === 1 ? { ...rest, resourceType: types[0]! } : { ...rest, resourceTypes: types };
}

export function without(filters: Filters, name: keyof Filters): Filters {
  const { [name]: _, ...rest } = filters;
  return rest;
}
