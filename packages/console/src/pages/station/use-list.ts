import type { Filters, Resource, StationClient } from '@roster/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { usePreferences } from '../../preferences/preferences.ts';

/** How many resources are asked for at once. */
export const pageSize = 100;

/** What a list begins with, and by which everything else of it is found. */
export interface List {
  readonly total: number | undefined;
  /** The snapshot that every row comes from. */
  readonly revision: string | undefined;
  readonly firstPage: readonly Resource[] | undefined;
  readonly error: Error | null;
  /** Whether this belongs to the filters before. */
  readonly isOutdated: boolean;
  /** Whether the snapshot shown before was gone and this is a newer one. */
  readonly hasMovedOn: boolean;
  readonly readPage: (page: number, signal: AbortSignal) => Promise<readonly Resource[]>;
  /** Names the list among the cached queries. */
  readonly key: readonly unknown[];
  readonly refresh: () => void;
  /** For whoever finds that the snapshot is gone. */
  readonly moveOn: () => void;
}

export function useList(station: StationClient, filters: Filters): List {
  const { language } = usePreferences();
  const [hasMovedOn, setMovedOn] = useState(false);
  const head = useQuery({
    queryKey: ['resources', station.path, language, filters],
    queryFn: ({ signal }) => station.list({ ...filters, offset: 0, size: pageSize }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  const { data, error, refetch, isPlaceholderData: isOutdated } = head;
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
