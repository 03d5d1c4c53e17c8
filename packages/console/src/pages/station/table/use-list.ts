import type { RecordView, SearchFilters, StationClient } from '@roster/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { formatOrder, type Order } from '../../../navigation/order-search.ts';
import { usePreferences } from '../../../preferences/preferences.ts';

/** Resources per request. */
export const pageSize = 100;

/** The first page of a list, and how to load the rest. */
export interface List {
  readonly total: number | undefined;
  /** The snapshot of every row. */
  readonly revision: string | undefined;
  readonly firstPage: readonly RecordView[] | undefined;
  /** Whether any resource of the first page has labels. */
  readonly hasLabels: boolean;
  /** What the server thinks was meant by filters that match nothing in the station. */
  readonly hints: readonly string[];
  readonly error: Error | null;
  /** Whether this is still the list of the previous filters. */
  readonly isOutdated: boolean;
  /** Whether this replaces a snapshot that is no longer available. */
  readonly hasMovedOn: boolean;
  readonly readPage: (page: number, signal: AbortSignal) => Promise<readonly RecordView[]>;
  /** Key of the list in the query cache. */
  readonly key: readonly unknown[];
  readonly refresh: () => void;
  /** Called if the snapshot is no longer available. */
  readonly moveOn: () => void;
}

export function useList(station: StationClient, filters: SearchFilters, order: Order): List {
  const { language } = usePreferences();
  const [hasMovedOn, setMovedOn] = useState(false);
  const orderBy = formatOrder(order);
  const firstPage = useQuery({
    queryKey: ['resources', station.path, language, filters, orderBy],
    queryFn: ({ signal }) =>
      station.manage.search({ ...filters, orderBy, offset: 0, size: pageSize }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  const { data, error, refetch, isPlaceholderData: isOutdated } = firstPage;
  const revision = data?.revision;
  const reread = useCallback(
    (isForced: boolean) => {
      setMovedOn(isForced);
      void refetch();
    },
    [refetch],
  );
  const readPage = useCallback(
    async (page: number, signal: AbortSignal) => {
      const query = { ...filters, orderBy, offset: page * pageSize, size: pageSize };
      return (await station.manage.search(query, { signal, revision })).resources;
    },
    [station, filters, orderBy, revision],
  );
  return useMemo(
    () => ({
      total: data?.page.total,
      revision,
      firstPage: data?.resources,
      hasLabels: data?.resources.some(({ labels }) => Object.keys(labels).length > 0) ?? false,
      hints: data?.hints ?? [],
      error,
      isOutdated,
      hasMovedOn,
      readPage,
      key: ['rows', station.path, language, filters, orderBy, revision],
      refresh: () => reread(false),
      moveOn: () => reread(true),
    }),
    [data, revision, error, isOutdated, hasMovedOn, readPage, station, language, filters, orderBy, reread],
  );
}
