import type { SearchFilters, StationAddress } from '@roster/client';
import { formatFilters, isFilterReadable, parseFilters } from './filter-search.ts';
import { formatOrder, type Order, orderParameter, parseOrder } from './order-search.ts';
import { stationHref } from './route.ts';

/** The URL parameter for the resource in the side panel; all others belong to the interface. */
const openResource = 'resource';

/** What the page of a station shows. */
export interface View {
  readonly filters: SearchFilters;
  readonly order?: Order | undefined;
  /** The resource in the side panel. */
  readonly openId?: string | undefined;
}

export interface ParsedView extends View {
  readonly order: Order;
  /** False when something was left out and only the server can say what is wrong with it. */
  readonly isComplete: boolean;
}

export function parseView(search: URLSearchParams): ParsedView {
  const asked = queryOf(search);
  const order =
    asked.getAll(orderParameter).length > 1 ? undefined : parseOrder(asked.get(orderParameter) ?? '');
  const names = [...asked.keys()].filter((name) => name !== orderParameter);
  return {
    filters: parseFilters(asked),
    order: order ?? parseOrder('')!,
    openId: search.get(openResource) || undefined,
    isComplete: order !== undefined && names.every((name) => isFilterReadable(asked, name)),
  };
}

/** What the URL asks of the server. */
export function queryOf(search: URLSearchParams): URLSearchParams {
  const asked = new URLSearchParams(search);
  asked.delete(openResource);
  return asked;
}

export function viewHref(address: StationAddress, { filters, order, openId }: View): string {
  const search = formatFilters(filters);
  const orderBy = order && formatOrder(order);
  if (orderBy !== undefined) search.set(orderParameter, orderBy);
  if (openId !== undefined) search.set(openResource, openId);
  return stationHref(address) + (search.size === 0 ? '' : `?${search}`);
}
