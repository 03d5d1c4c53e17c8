import type { StationFilters } from '@roster/client';
import { formatStationOrder, orderParameter, parseStationOrder, type StationOrder } from './station-order.ts';

/** Uses the wire names, like every URL. */
export const stationParameters = {
  namePrefix: 'telemetry_station_name_prefix',
  subscription: 'subscription_name',
  resourceGroup: 'resource_group_name',
  zone: 'zone',
} as const satisfies Partial<Record<keyof StationFilters, string>>;

export type StationFilterName = keyof typeof stationParameters;

const names = Object.keys(stationParameters) as StationFilterName[];

export function readStationFilters(search: string): StationFilters {
  const parameters = new URLSearchParams(search);
  const given = names.map((name) => [name, parameters.get(stationParameters[name])] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== null && value !== ''));
}

/** The order stays when the filters change. */
export function stationsHref(filters: StationFilters, order = currentOrder()): string {
  const search = new URLSearchParams();
  for (const name of names) if (filters[name]) search.set(stationParameters[name], filters[name]);
  if (order !== undefined) search.set(orderParameter, formatStationOrder(order));
  return search.size === 0 ? '/stations' : `/stations?${search}`;
}

function currentOrder(): StationOrder | undefined {
  return parseStationOrder(new URLSearchParams(globalThis.location?.search).get(orderParameter) ?? '');
}
