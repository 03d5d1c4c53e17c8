import type { Filters, Resource, StationClient } from '@roster/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { usePreferences } from '../../../preferences/preferences.ts';

/** Resources per request. */
export const pageSize = 100;

/** The first page of a list, and how to load the rest. */
export interface List {
  readonly total: number | undefined;
  /** The snapshot of every row. */
  readonly revision: string | undefined;
  readonly firstPage: readonly Resource[] | undefined;
  readonly error: Error | null;
  /** Whether this is still the list of the previous filters. */
  readonly isOutdated: boolean;
  /** Whether this replaces a snapshot that is no longer available. */
  readonly hasMovedOn: boolean;
  readonly readPage: (page: number, signal: AbortSignal) => Promise<readonly Resource[]>;
  /** Key of the list in the query cache. */
  readonly key: readonly unknown[];
  readonly refresh: () => void;
  /** Called if the snapshot is no longer available. */
  readonly moveOn: () => void;
}

export function useList(station: StationClient, filters: Filters): List {
  const { language } = usePreferences();
  const [hasMovedOn, setMovedOn] = useState(false);
  const firstPage = useQuery({
    queryKey: ['resources', station.path, language, filters],
    queryFn: ({ signal }) => station.list({ ...filters, offset: 0, size: pageSize }, { signal }),
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
      const query = { ...filters, offset: page * pageSize, size: pageSize };
      return (await station.list(query, { signal, revision })).resources;
    },
    [station, filters, revision],
  );
  return useMemo(
    () => ({
      total: data?.page?.total,
      revision,
      firstPage: data?.resources,
      error,
      isOutdated,
      hasMovedOn,
      readPage,
      key: ['rows', station.path, language, filters, revision],
      refresh: () => reread(false),
      moveOn: () => reread(true),
    }),
    [data, revision, error, isOutdated, hasMovedOn, readPage, station, language, filters, reread],
  );
}
