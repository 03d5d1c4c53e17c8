import type { SearchFilters, StationAddress } from '@roster/client';
import { useCallback, useMemo } from 'react';
import { formatFilters, parseFilters } from '../../navigation/filter-search.ts';
import { navigate, useLocation } from '../../navigation/location.ts';
import type { Order } from '../../navigation/order-search.ts';
import { type ParsedView, parseView, viewHref } from '../../navigation/view-search.ts';

export interface StationView extends ParsedView {
  /** The query string of the address bar. */
  readonly search: string;
  readonly filter: (filters: SearchFilters, how?: 'replace') => void;
  readonly sort: (order: Order) => void;
  readonly open: (resourceId: string | undefined) => void;
  /** The URL of this view with other filters. */
  readonly hrefOf: (filters: SearchFilters) => string;
}

/** The state of the station page. All of it is in the URL, for sharing and the back button. */
export function useStationView(address: StationAddress): StationView {
  const { search } = useLocation();
  const parsed = useMemo(() => parseView(new URLSearchParams(search)), [search]);
  const { order, openId } = parsed;
  const filters = useSameFilters(parsed.filters);
  const hrefOf = useCallback(
    (next: SearchFilters) => viewHref(address, { filters: next, order, openId }),
    [address, order, openId],
  );
  const filter = useCallback((next: SearchFilters, how?: 'replace') => navigate(hrefOf(next), how), [hrefOf]);
  const sort = useCallback(
    (next: Order) => navigate(viewHref(address, { filters, order: next, openId })),
    [address, filters, openId],
  );
  const open = useCallback(
    (id: string | undefined) => navigate(viewHref(address, { filters, order, openId: id })),
    [address, filters, order],
  );
  return { ...parsed, filters, search, filter, sort, open, hrefOf };
}

/** The same object until a filter changes, so that opening a resource does not begin the stream of changes anew. */
function useSameFilters(filters: SearchFilters): SearchFilters {
  const text = formatFilters(filters).toString();
  return useMemo(() => parseFilters(new URLSearchParams(text)), [text]);
}
