import type { EverywhereQuery } from '@roster/client';

/** Filters of a list: those of a search, and those that choose among stations. */
export type ListFilters = Omit<EverywhereQuery, 'orderBy' | 'facets' | 'offset' | 'size'>;

/** A `switch` filters only when it is on; a `boolean` filters either way. */
type Kind = 'text' | 'list' | 'boolean' | 'switch';

interface Parameter {
  readonly name: string;
  readonly kind: Kind;
}

/** Every filter except labels, under its name in the interface and in the order of the URL. */
export const parameters = {
  text: { name: 'text', kind: 'text' },
  displayNamePrefix: { name: 'resource_display_name_prefix', kind: 'text' },
  resourceType: { name: 'resource_type', kind: 'text' },
  resourceTypes: { name: 'resource_types', kind: 'list' },
  product: { name: 'product', kind: 'text' },
  states: { name: 'state', kind: 'list' },
  covered: { name: 'covered', kind: 'boolean' },
  alertable: { name: 'alertable', kind: 'boolean' },
  enabledAlert: { name: 'enabled_alert', kind: 'switch' },
  resourceIds: { name: 'resource_ids', kind: 'list' },
  gpuModels: { name: 'gpu_model', kind: 'list' },
  skus: { name: 'sku', kind: 'list' },
  createdAfter: { name: 'created_after', kind: 'text' },
  createdBefore: { name: 'created_before', kind: 'text' },
  stateSinceAfter: { name: 'state_since_after', kind: 'text' },
  stateSinceBefore: { name: 'state_since_before', kind: 'text' },
  subscriptions: { name: 'subscription', kind: 'list' },
  resourceGroups: { name: 'resource_group', kind: 'list' },
  zones: { name: 'zone', kind: 'list' },
  stations: { name: 'station', kind: 'list' },
} as const satisfies Record<Exclude<keyof ListFilters, 'labels'>, Parameter>;

/** Only a list of all stations has these. */
const stationMembers: readonly string[] = ['subscriptions', 'resourceGroups', 'zones', 'stations'];

export function isStationParameter(parameter: string): boolean {
  return Object.entries(parameters).some(
    ([member, { name }]) => name === parameter && stationMembers.includes(member),
  );
}

type ParameterName = (typeof parameters)[keyof typeof parameters]['name'];

/** The parameter of a filter. */
export type FilterParameter = ParameterName | `label.${string}`;

const labelFamily = 'label.';

export function labelParameter(key: string): FilterParameter {
  return `${labelFamily}${key}`;
}

/** The key in the parameter of a label; undefined for other parameters. */
export function labelKey(parameter: string): string | undefined {
  return parameter.startsWith(labelFamily) ? parameter.slice(labelFamily.length) : undefined;
}

export function kindOf(parameter: string): Kind | undefined {
  if (labelKey(parameter) !== undefined) return 'list';
  return Object.values(parameters).find(({ name }) => name === parameter)?.kind;
}
