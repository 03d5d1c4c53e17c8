import type { PastChange, StationClient } from '@roster/client';
import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  type EarlierChanges,
  newestPosition,
  type ReadWindow,
  readBackwards,
  readRest,
  windowQuery,
} from '../../api/read-backwards.ts';
import type { ListFilters } from '../../navigation/filter-parameters.ts';
import { formatFilters } from '../../navigation/filter-search.ts';
import type { TimeRange } from '../../navigation/time-range.ts';
import { usePreferences } from '../../preferences/preferences.ts';

const pageSize = 500;
const pageSizeOfRest = 1000;

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
  const queryKey = ['station-changes', station.path, language, text, fromMs, toMs, nowMs, isEverything];
  const readerOf =
    (size: number, signal: AbortSignal): ReadWindow =>
    (window) =>
      station.manage.changes(
        { ...filters, ...windowQuery(window), size, stateChanges: !isEverything },
        { signal },
      );
  const pages = useInfiniteQuery({
    queryKey,
    initialPageParam: newestPosition({ fromMs, toMs, nowMs }),
    queryFn: ({ pageParam, signal }) =>
      readBackwards(readerOf(pageSize, signal), { fromMs, nowMs }, pageParam),
    getNextPageParam: ({ earlier }) => earlier,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
  const large = pages.data?.pages.flatMap(({ rest }) => rest ?? []) ?? [];
  const rests = useQueries({
    queries: large.map((rest) => ({
      queryKey: [...queryKey, 'rest', rest.since],
      queryFn: ({ signal }: { signal: AbortSignal }) => readRest(readerOf(pageSizeOfRest, signal), rest),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 60_000,
    })),
  });
  const progress = rests.map(({ status }) => status).join();
  const known = useMemo(
    () =>
      joinRests(
        pages.data?.pages ?? [],
        rests.map(({ data }) => data),
      ),
    [pages.data, progress],
  );
  const failed = rests.find(({ error }) => error !== null);
  return {
    ...known,
    pages,
    isReadingOn: rests.some(({ isFetching }) => isFetching),
    error: pages.error ?? failed?.error ?? null,
    retry: () => void (pages.error === null ? failed?.refetch() : pages.refetch()),
  };
}

type Rest = Awaited<ReturnType<typeof readRest>>;

/** What is loaded of some pages and their rests, and the revisions of which there is more. */
function joinRests(pages: readonly EarlierChanges[], rests: readonly (Rest | undefined)[]) {
  const changes: PastChange[] = [];
  const incomplete = new Set<string>();
  let at = 0;
  for (const page of pages) {
    const rest = page.rest && rests[at++];
    changes.push(...page.changes, ...(rest?.changes ?? []));
    const last = changes.at(-1);
    if (page.rest !== undefined && last !== undefined && (rest === undefined || rest.rest !== undefined)) {
      incomplete.add(last.revision);
    }
  }
  return { changes, incomplete };
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
