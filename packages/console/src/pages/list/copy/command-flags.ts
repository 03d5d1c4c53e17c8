import type { ListFilters } from '../../../navigation/filter-parameters.ts';
import type { Order } from '../../../navigation/order-search.ts';
import type { View } from '../../../navigation/view-search.ts';
import { shell } from './shell.ts';

/** The flags of `roster list` for a view; undefined if there is none for one of its filters. */
export function commandFlags({ filters, order }: View): string[] | undefined {
  const { covered, alertable, enabledAlert } = filters;
  if (alertable === false) return undefined;
  const given = valueFlags(filters).flatMap(([flag, values]) =>
    values.map((value) => `${flag} ${shell(String(value))}`),
  );
  if (covered !== undefined) given.push(covered ? '--covered' : '--uncovered');
  if (enabledAlert || alertable) given.push('--alertable');
  return [...given, ...sortFlag(order)];
}

type Values = readonly (Date | string)[];

const one = (value: Date | string | undefined): Values => (value === undefined ? [] : [value]);

function valueFlags(filters: ListFilters): [flag: string, values: Values][] {
  const labels = Object.entries(filters.labels ?? {}).map(([key, values]) => `${key}=${values.join(',')}`);
  return [
    ['--text', one(filters.text)],
    ['--type', acceptedTypes(filters)],
    ['--product', one(filters.product)],
    ['--prefix', one(filters.displayNamePrefix)],
    ['--id', filters.resourceIds ?? []],
    ['--state', filters.states ?? []],
    ['--gpu-model', filters.gpuModels ?? []],
    ['--sku', filters.skus ?? []],
    ['--label', labels],
    ['--created-after', one(filters.createdAfter)],
    ['--created-before', one(filters.createdBefore)],
    ['--since-after', one(filters.stateSinceAfter)],
    ['--since-before', one(filters.stateSinceBefore)],
    ['--subscription', filters.subscriptions ?? []],
    ['--resource-group', filters.resourceGroups ?? []],
    ['--zone', filters.zones ?? []],
    ['--station', filters.stations ?? []],
  ];
}

/** The command has one flag for types, so `resource_type` and `resource_types` are intersected. */
function acceptedTypes({ resourceType, resourceTypes }: ListFilters): Values {
  if (resourceType === undefined) return resourceTypes ?? [];
  return (resourceTypes ?? [resourceType]).filter((type) => type === resourceType);
}

function sortFlag(order: Order | undefined): string[] {
  if (order === undefined || (order.field === 'display_name' && !order.isDescending)) return [];
  return [`--sort ${order.field}${order.isDescending ? ':desc' : ''}`];
}
