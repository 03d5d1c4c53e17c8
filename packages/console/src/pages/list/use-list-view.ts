import type { StationAddress } from '@roster/client';
import { useCallback, useMemo } from 'react';
import { useNow } from '../../components/live/use-now.ts';
import type { ListFilters } from '../../navigation/filter-parameters.ts';
import { formatFilters, parseFilters } from '../../navigation/filter-search.ts';
import { navigate, useLocation } from '../../navigation/location.ts';
import type { Order } from '../../navigation/order-search.ts';
import { resolveTimes, restoreTimes } from '../../navigation/relative-time.ts';
import { type ParsedView, parseView, type View, viewHref } from '../../navigation/view-search.ts';

export interface ListView extends ParsedView {
  /** As the server takes them. */
  readonly filters: ListFilters;
  /** As they are in the URL, where times may move with the clock. */
  readonly given: ListFilters;
  /** The query string of the address bar. */
  readonly search: string;
  readonly filter: (filters: ListFilters, how?: 'replace') => void;
  readonly sort: (order: Order) => void;
  readonly open: (resourceId: string | undefined) => void;
  readonly groupBy: (field: string | undefined) => void;
  /** The URL of this view with other filters. */
  readonly hrefOf: (filters: ListFilters) => string;
  /** The URL of this view with something else about it. */
  readonly hrefWith: (part: Partial<View>) => string;
}

/** The state of a list, of a station or of all. All of it is in the URL, for sharing and the back button. */
export function useListView(address: StationAddress | undefined): ListView {
  const { search } = useLocation();
  const isEverywhere = address === undefined;
  const parsed = useMemo(() => parseView(new URLSearchParams(search), isEverywhere), [search, isEverywhere]);
  const { order, openId, group, trends } = parsed;
  const given = useSameFilters(parsed.filters);
  const filters = useMovingTimes(given);
  const hrefWith = useCallback(
    ({ filters: others, ...part }: Partial<View>) => {
      const kept = others === undefined ? given : restoreTimes(others, given, filters);
      return viewHref(address, { filters: kept, order, openId, group, trends, ...part });
    },
    [address, given, filters, order, openId, group, trends],
  );
  const hrefOf = useCallback((next: ListFilters) => hrefWith({ filters: next }), [hrefWith]);
  const filter = useCallback((next: ListFilters, how?: 'replace') => navigate(hrefOf(next), how), [hrefOf]);
  const sort = useCallback((next: Order) => navigate(hrefWith({ order: next })), [hrefWith]);
  const open = useCallback((id: string | undefined) => navigate(hrefWith({ openId: id })), [hrefWith]);
  const groupBy = useCallback(
    (field: string | undefined) => navigate(hrefWith({ group: field, openId: undefined })),
    [hrefWith],
  );
  return { ...parsed, filters, given, search, filter, sort, open, groupBy, hrefOf, hrefWith };
}

const moveEveryMs = 300_000;

/** Times such as `now-1h` move with the clock, but seldom: each time, the list is read anew. */
function useMovingTimes(given: ListFilters): ListFilters {
  const sinceMs = Math.floor(useNow() / moveEveryMs) * moveEveryMs;
  return useMemo(() => resolveTimes(given, Math.max(sinceMs, Date.now())), [given, sinceMs]);
}

/** The same object until a filter changes, so that opening a resource does not begin the stream of changes anew. */
function useSameFilters(filters: ListFilters): ListFilters {
  const text = formatFilters(filters).toString();
  return useMemo(() => parseFilters(new URLSearchParams(text)), [text]);
}
