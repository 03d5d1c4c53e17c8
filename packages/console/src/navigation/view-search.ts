import type { StationAddress } from '@roster/client';
import { isStationParameter, type ListFilters } from './filter-parameters.ts';
import { formatFilters, isFilterReadable, parseFilters } from './filter-search.ts';
import { formatOrder, type Order, orderParameter, parseOrder } from './order-search.ts';
import { stationHref } from './route.ts';

/** The URL parameter for the resource in the side panel; all others belong to the interface. */
const openResource = 'resource';

/** The URL parameter for the field that resources are grouped by. */
const groupBy = 'group_by';

/** The URL parameter for how far back the trends of a station go. */
const trendRange = 'trends';

/** What a list shows. */
export interface View {
  readonly filters: ListFilters;
  readonly order?: Order | undefined;
  /** The resource in the side panel. */
  readonly openId?: string | undefined;
  /** The field that resources are grouped by. */
  readonly group?: string | undefined;
  /** How far back its trends go; undefined when they are closed. */
  readonly trends?: string | undefined;
}

export interface ParsedView extends View {
  readonly order: Order;
  /** False when something was left out and only the server can say what is wrong with it. */
  readonly isComplete: boolean;
}

/** `isEverywhere` for a list of all stations, which has filters that a station does not. */
export function parseView(search: URLSearchParams, isEverywhere = false): ParsedView {
  const all = queryOf(search);
  const asked = new URLSearchParams([...all].filter(([name]) => isEverywhere || !isStationParameter(name)));
  const order =
    asked.getAll(orderParameter).length > 1 ? undefined : parseOrder(asked.get(orderParameter) ?? '');
  const names = [...all.keys()].filter((name) => name !== orderParameter);
  return {
    filters: parseFilters(asked),
    order: order ?? parseOrder('')!,
    openId: search.get(openResource) || undefined,
    group: search.get(groupBy) || undefined,
    trends: search.get(trendRange) || undefined,
    isComplete: order !== undefined && names.every((name) => isFilterReadable(asked, name)),
  };
}

/** What the URL asks of the server. */
export function queryOf(search: URLSearchParams): URLSearchParams {
  const asked = new URLSearchParams(search);
  asked.delete(openResource);
  asked.delete(groupBy);
  asked.delete(trendRange);
  return asked;
}

/** The list of a station or, without an address, of all stations. */
export function viewHref(address: StationAddress | undefined, view: View): string {
  const { filters, order, openId, group, trends } = view;
  const search = formatFilters(filters);
  const orderBy = order && formatOrder(order);
  if (orderBy !== undefined) search.set(orderParameter, orderBy);
  if (openId !== undefined) search.set(openResource, openId);
  if (group !== undefined) search.set(groupBy, group);
  if (trends !== undefined) search.set(trendRange, trends);
  return (
    (address === undefined ? '/resources' : stationHref(address)) + (search.size === 0 ? '' : `?${search}`)
  );
}
