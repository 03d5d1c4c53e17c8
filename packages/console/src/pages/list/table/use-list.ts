import type { RecordView } from '@roster/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import type { ListFilters } from '../../../navigation/filter-parameters.ts';
import { formatOrder, type Order } from '../../../navigation/order-search.ts';
import { usePreferences } from '../../../preferences/preferences.ts';
import type { FoundPage, ListSource } from './list-source.ts';

/** Resources per request. */
export const pageSize = 100;

/** The first page of a list, and how to load the rest. */
export interface List {
  readonly total: number | undefined;
  /** The snapshot of every row; undefined for all stations, which have none. */
  readonly revision: string | undefined;
  /** Differs whenever rows may. */
  readonly version: string;
  readonly firstPage: readonly RecordView[] | undefined;
  /** What the server thinks was meant by filters that match nothing in the station. */
  readonly hints: readonly string[];
  readonly error: Error | null;
  /** When the server answered. */
  readonly readAtMs: number | undefined;
  readonly isRefreshing: boolean;
  /** Whether this replaces a snapshot that is no longer available. */
  readonly hasMovedOn: boolean;
  readonly readRows: (offset: number, size: number, signal: AbortSignal) => Promise<readonly RecordView[]>;
  /** Key of the list in the query cache. */
  readonly key: readonly unknown[];
  readonly refresh: () => void;
  /** Called if the snapshot is no longer available. */
  readonly moveOn: () => void;
}

interface ListOptions {
  readonly filters: ListFilters;
  readonly order: Order;
  /** Loads what else the page shows of a snapshot, so that all of it changes at once. */
  readonly prepare?: (revision: string | undefined) => Promise<unknown>;
  readonly refreshMs?: number;
}

export function useList(source: ListSource, { filters, order, prepare, refreshMs }: ListOptions): List {
  const { language } = usePreferences();
  const queries = useQueryClient();
  const [hasMovedOn, setMovedOn] = useState(false);
  const orderBy = formatOrder(order);
  const queryKey = ['resources', source.key, language, filters, orderBy];
  const { data, error, refetch, isFetching, dataUpdatedAt } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const found = await source.search({ ...filters, orderBy, offset: 0, size: pageSize }, { signal });
      // The first answer is shown at once; later ones wait until their figures are there.
      if (queries.getQueryData(queryKey) !== undefined) await prepare?.(found.revision);
      return found;
    },
    staleTime: refreshMs === undefined ? Number.POSITIVE_INFINITY : 0,
    ...(refreshMs === undefined ? {} : { refetchInterval: refreshMs }),
  });
  const revision = data?.revision;
  const version = versionOf(data);
  const reread = useCallback(
    (isForced: boolean) => {
      setMovedOn(isForced);
      void refetch();
    },
    [refetch],
  );
  const refresh = useCallback(() => reread(false), [reread]);
  const moveOn = useCallback(() => reread(true), [reread]);
  const readRows = useCallback(
    async (offset: number, size: number, signal: AbortSignal) => {
      const query = { ...filters, orderBy, offset, size };
      return (await source.search(query, { signal, revision })).resources;
    },
    [source, filters, orderBy, revision],
  );
  return useMemo(
    () => ({
      total: data?.page.total,
      revision,
      version,
      firstPage: data?.resources,
      hints: data?.hints ?? [],
      error,
      readAtMs: data === undefined ? undefined : dataUpdatedAt,
      isRefreshing: isFetching,
      hasMovedOn,
      readRows,
      key: ['rows', source.key, language, filters, orderBy, version],
      refresh,
      moveOn,
    }),
    [
      data,
      dataUpdatedAt,
      isFetching,
      revision,
      version,
      error,
      hasMovedOn,
      readRows,
      source,
      language,
      filters,
      orderBy,
      refresh,
      moveOn,
    ],
  );
}

const versions = new WeakMap<FoundPage, string>();
let lastVersion = 0;

/** An answer that is the same as before is the same object, and has the same version. */
function versionOf(found: FoundPage | undefined): string {
  if (found === undefined) return '';
  const version = found.revision ?? versions.get(found) ?? String(++lastVersion);
  versions.set(found, version);
  return version;
}
