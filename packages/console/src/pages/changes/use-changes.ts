import type { HistoryPage, StationClient } from '@roster/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ListFilters } from '../../navigation/filter-parameters.ts';
import { formatFilters } from '../../navigation/filter-search.ts';
import type { TimeRange } from '../../navigation/time-range.ts';
import { usePreferences } from '../../preferences/preferences.ts';

const pageSize = 500;
/** A page with filters may be empty although there is more; so many are read in a row. */
const mostEmptyPages = 10;

export interface AskedChanges {
  readonly filters: ListFilters;
  readonly range: TimeRange;
  readonly isEverything: boolean;
}

/** The changes of a station in a range of time, oldest first, page by page. */
export function useChanges(station: StationClient, { filters, range, isEverything }: AskedChanges) {
  const { language } = usePreferences();
  const { fromMs, toMs } = range;
  const text = formatFilters(filters).toString();
  return useInfiniteQuery({
    queryKey: ['station-changes', station.path, language, text, fromMs, toMs, isEverything],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      let page: HistoryPage;
      let since = pageParam;
      let pages = 0;
      do {
        const query = { ...filters, since, size: pageSize, stateChanges: !isEverything, ...times(range) };
        page = await station.manage.changes(query, { signal });
        since = page.next;
        pages++;
      } while (page.changes.length === 0 && page.has_more && pages < mostEmptyPages);
      return page;
    },
    getNextPageParam: (last) => (last.has_more ? last.next : undefined),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}

function times({ fromMs, toMs }: TimeRange) {
  return {
    ...(fromMs !== undefined && { changedAfter: new Date(fromMs) }),
    ...(toMs !== undefined && { changedBefore: new Date(toMs) }),
  };
}

/** What the server has forgotten: all changes, or those before a time. */
export interface ForgottenHistory {
  readonly beforeMs: number | undefined;
}

/** Undefined if everything since `fromMs` is known. */
export function useForgottenHistory(
  station: StationClient,
  fromMs: number | undefined,
): ForgottenHistory | undefined {
  const { data } = useQuery({
    queryKey: ['oldest-change', station.path],
    queryFn: ({ signal }) => station.manage.changes({ size: 1 }, { signal }),
    staleTime: 60_000,
  });
  if (data === undefined) return undefined;
  const [oldest] = data.changes;
  if (oldest === undefined) return data.next.endsWith('.0') ? undefined : { beforeMs: undefined };
  const oldestMs = Date.parse(oldest.changed_at);
  const isKnown = oldest.revision.endsWith('.1') || (fromMs !== undefined && oldestMs <= fromMs);
  return isKnown ? undefined : { beforeMs: oldestMs };
}
