import type { RecordView } from '@roster/client';
import { queryOptions } from '@tanstack/react-query';
import type { ListFilters } from '../../../navigation/filter-parameters.ts';
import type { ListSource } from '../table/list-source.ts';
import { facetFields } from './facet-fields.ts';

export interface FacetOptions {
  readonly filters: ListFilters;
  readonly labelKeys: readonly string[];
  readonly revision: string | undefined;
  readonly version: string;
}

/** How many resources each value has, in the snapshot of the list. */
export function facetQuery(source: ListSource, options: FacetOptions) {
  const { filters, labelKeys, revision, version } = options;
  const facets = facetFields(filters, source.key === 'everywhere', labelKeys);
  return queryOptions({
    queryKey: ['facets', source.key, filters, facets, version],
    queryFn: async ({ signal }) =>
      (await source.search({ ...filters, facets, size: 0 }, { signal, revision })).facets ?? {},
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}

const mostKeys = 3;

/** The label keys that most of these resources have. */
export function commonLabelKeys(resources: readonly Pick<RecordView, 'labels'>[]): string[] {
  const counts = new Map<string, number>();
  for (const { labels } of resources) {
    for (const key of Object.keys(labels)) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, mostKeys)
    .map(([key]) => key);
}
