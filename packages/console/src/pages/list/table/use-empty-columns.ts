import type { FacetCounts } from '@roster/client';
import { useEffect, useMemo } from 'react';
import type { ListFilters } from '../../../navigation/filter-parameters.ts';

/** Columns that many stations have no value for. */
const oftenEmpty = ['sku', 'gpu_model'];

/** By list, so that its columns do not move when it is opened again. */
const lastKnown = new Map<string, readonly string[]>();
const nothing: readonly string[] = [];

interface EmptyColumnsOptions {
  /** Of the list. */
  readonly key: string;
  readonly hasLabels: boolean;
  readonly filters: ListFilters;
  /** Undefined while loading. */
  readonly facets: Readonly<Record<string, FacetCounts>> | undefined;
}

/** Columns without a value in the whole list. Filters do not empty one, so that columns stay where they are. */
export function useEmptyColumns({
  key,
  hasLabels,
  filters,
  facets,
}: EmptyColumnsOptions): ReadonlySet<string> {
  const before = lastKnown.get(key) ?? nothing;
  const known = facets === undefined ? before : emptyOf(facets, filters, before);
  useEffect(() => {
    lastKnown.set(key, known);
  }, [key, known]);
  const all = [...known, ...(hasLabels ? [] : ['labels'])].join();
  return useMemo(() => new Set(all.split(',')), [all]);
}

/** What was empty and is not seen to have values or, without filters, what is. */
export function emptyOf(
  facets: Readonly<Record<string, FacetCounts>>,
  filters: ListFilters,
  before: readonly string[],
): readonly string[] {
  const isUnfiltered = Object.keys(filters).length === 0;
  return oftenEmpty.filter((field) => {
    const facet = facets[field];
    if (facet === undefined) return before.includes(field);
    const isEmpty = facet.other_values === 0 && facet.values.every(({ value }) => value === '');
    return isEmpty && (isUnfiltered || before.includes(field));
  });
}
