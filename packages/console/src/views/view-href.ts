import type { SavedView } from '@roster/client';
import { addressOf } from '../format/station-name.ts';
import { formatFilters } from '../navigation/filter-search.ts';
import { formatOrder, orderParameter } from '../navigation/order-search.ts';
import { stationHref } from '../navigation/route.ts';
import type { View } from '../navigation/view-search.ts';

/** The list of a saved view. Counts of values are the console's own affair. */
export function savedViewHref({ station, query }: Pick<SavedView, 'station' | 'query'>): string {
  const search = new URLSearchParams(query);
  search.delete('facets');
  const address = station === null ? undefined : addressOf(station);
  return (
    (address === undefined ? '/resources' : stationHref(address)) + (search.size === 0 ? '' : `?${search}`)
  );
}

/** What to save of a list. */
export function viewQuery({ filters, order }: View): string {
  const search = formatFilters(filters);
  const orderBy = order && formatOrder(order);
  if (orderBy !== undefined) search.set(orderParameter, orderBy);
  return search.toString();
}
