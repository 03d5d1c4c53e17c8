import { type Filters, isRevisionExpired, type Resource, type StationClient } from '@roster/client';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { usePreferences } from '../../preferences/preferences.ts';

/** How many resources are asked for at once. */
const pageSize = 100;
/** Pages that someone only scrolls past are not asked for. */
const settleMs = 80;

export interface RowRange {
  readonly first: number;
  readonly last: number;
}

export interface ResourceRows {
  readonly total: number | undefined;
  /** The snapshot that every row comes from. */
  readonly revision: string | undefined;
  readonly error: Error | null;
  /** Whether what is shown belongs to the filters before. */
  readonly isOutdated: boolean;
  /** Whether the snapshot shown before was gone and this is a newer one. */
  readonly hasMovedOn: boolean;
  rowAt(index: number): Resource | undefined;
  refresh(): void;
}

/** The rows of a list, wherever one looks, all from one snapshot. */
export function useResources(station: StationClient, filters: Filters, range: RowRange): ResourceRows {
  const { language } = usePreferences();
  const [hasMovedOn, setMovedOn] = useState(false);
  const listKey = ['resources', station.path, language, filters];
  const head = useQuery({
    queryKey: [...listKey, 'head'],
    queryFn: ({ signal }) => station.list({ ...filters, offset: 0, size: pageSize }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: 'always',
    placeholderData: keepPreviousData,
  });
  const { data, refetch, isPlaceholderData } = head;
  const revision = data?.revision;
  const pages = usePageNumbers(range, isPlaceholderData ? 0 : (data?.page?.total ?? 0));
  const { rows, isExpired, error } = useQueries({
    queries: pages.map((page) => ({
      queryKey: [...listKey, revision, page],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        station.list({ ...filters, offset: page * pageSize, size: pageSize }, { signal, revision }),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 60_000,
    })),
    combine: (answers) => ({
      rows: new Map(answers.map(({ data: answer }, at) => [pages[at]!, answer?.resources])),
      isExpired: answers.some((each) => isRevisionExpired(each.error)),
      error: answers.find((each) => each.error !== null)?.error ?? null,
    }),
  });
  useEffect(() => {
    if (!isExpired) return;
    setMovedOn(true);
    void refetch();
  }, [isExpired, refetch]);
  const refresh = useCallback(() => {
    setMovedOn(false);
    void refetch();
  }, [refetch]);
  const rowAt = (index: number) => {
    const page = Math.floor(index / pageSize);
    return (page === 0 ? data?.resources : rows.get(page))?.[index % pageSize];
  };
  return {
    total: data?.page?.total,
    revision,
    error: head.error ?? (isExpired ? null : error),
    isOutdated: isPlaceholderData,
    hasMovedOn,
    rowAt,
    refresh,
  };
}

/** The pages behind the first one that the range touches, once it has stood still. */
function usePageNumbers({ first, last }: RowRange, total: number): readonly number[] {
  const from = Math.max(1, Math.floor(first / pageSize));
  const to = Math.floor(last / pageSize);
  const [settled, setSettled] = useState({ from: 1, to: 0 });
  useEffect(() => {
    const timer = setTimeout(() => setSettled({ from, to }), settleMs);
    return () => clearTimeout(timer);
  }, [from, to]);
  const end = Math.min(settled.to + 1, Math.ceil(total / pageSize));
  return Array.from({ length: Math.max(0, end - settled.from) }, (_, at) => settled.from + at);
}
