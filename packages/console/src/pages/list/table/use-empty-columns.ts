import type { FacetCounts, RecordView } from '@roster/client';
import { useEffect, useMemo } from 'react';
import type { ListFilters } from '../../../navigation/filter-parameters.ts';
import { formatFilters } from '../../../navigation/filter-search.ts';

/** Columns that many stations have no value for. */
const oftenEmpty = ['sku', 'gpu_model'] as const;

interface Known {
  readonly search: string;
  readonly empty: readonly string[];
}

/** By list, so that its columns do not move when it is opened again. */
const lastKnown = new Map<string, Known>();
const nothing: readonly string[] = [];

interface EmptyColumnsOptions {
  /** Of the list. */
  readonly key: string;
  readonly filters: ListFilters;
  /** Undefined while loading, as the facets are. */
  readonly firstPage: readonly RecordView[] | undefined;
  /** Of all that matches. */
  readonly facets: Readonly<Record<string, FacetCounts>> | undefined;
}

/** Columns without a value in the whole list as filtered, wherever it is scrolled to. Labels are judged by its first page. */
export function useEmptyColumns(options: EmptyColumnsOptions): ReadonlySet<string> {
  const { key, filters, firstPage, facets } = options;
  const search = formatFilters(filters).toString();
  const last = lastKnown.get(key);
  const before = last?.search === search ? last.empty : undefined;
  const empty =
    facets !== undefined
      ? emptyOf(facets, before ?? oftenEmpty)
      : (before ?? (firstPage === undefined ? last?.empty : emptyIn(firstPage)) ?? nothing);
  useEffect(() => {
    if (facets !== undefined) lastKnown.set(key, { search, empty });
  }, [key, search, empty, facets]);
  const hasLabels = firstPage?.some(({ labels }) => Object.keys(labels).length > 0);
  const all = [...empty, ...(hasLabels ? [] : ['labels'])].join();
  return useMemo(() => new Set(all.split(',')), [all]);
}

/** A guess until the facets are there. */
function emptyIn(resources: readonly RecordView[]): readonly string[] {
  return oftenEmpty.filter((field) => resources.every((resource) => resource[field] === ''));
}

/** What was empty and still is: as the list changes, a column can come but not go. */
export function emptyOf(
  facets: Readonly<Record<string, FacetCounts>>,
  before: readonly string[],
): readonly string[] {
  return before.filter((field) => {
    const facet = facets[field];
    return facet?.other_values === 0 && facet.values.every(({ value }) => value === '');
  });
}
