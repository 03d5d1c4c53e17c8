import type { StationClient } from '@roster/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { newestPosition, type ReadWindow, readBackwards, windowQuery } from '../../api/read-backwards.ts';
import type { ListFilters } from '../../navigation/filter-parameters.ts';
import { formatFilters } from '../../navigation/filter-search.ts';
import type { TimeRange } from '../../navigation/time-range.ts';
import { usePreferences } from '../../preferences/preferences.ts';

const pageSize = 500;

export interface AskedChanges {
  readonly filters: ListFilters;
  readonly range: TimeRange;
  /** Up to when a range without an end goes. */
  readonly nowMs: number;
  readonly isEverything: boolean;
}

/** The changes of a station in a range of time, the newest first, page by page. */
export function useChanges(station: StationClient, asked: AskedChanges) {
  const { language } = usePreferences();
  const { filters, range, nowMs, isEverything } = asked;
  const { fromMs = 0, toMs } = range;
  const text = formatFilters(filters).toString();
  return useInfiniteQuery({
    queryKey: ['station-changes', station.path, language, text, fromMs, toMs, nowMs, isEverything],
    initialPageParam: newestPosition({ fromMs, toMs, nowMs }),
    queryFn: ({ pageParam, signal }) => {
      const read: ReadWindow = (window) =>
        station.manage.changes(
          { ...filters, ...windowQuery(window), size: pageSize, stateChanges: !isEverything },
          { signal },
        );
      return readBackwards(read, { fromMs, nowMs }, pageParam);
    },
    getNextPageParam: ({ earlier }) => earlier,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
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
