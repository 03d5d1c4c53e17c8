import { useQuery } from '@tanstack/react-query';
import type { FilterParameter, ListFilters } from '../../../navigation/filter-parameters.ts';
import { filterTexts, without } from '../../../navigation/filter-search.ts';
import type { ListSource } from './list-source.ts';

export interface LooserFilter {
  /** The filter to remove. */
  readonly parameter: FilterParameter;
  /** How many match without it. */
  readonly total: number;
}

/** Filters whose removal alone would give matches, fewest matches first. */
export function useLooserFilters(
  source: ListSource,
  filters: ListFilters,
  enabled: boolean,
): readonly LooserFilter[] {
  const { data = [] } = useQuery({
    queryKey: ['looser', source.key, filters],
    enabled,
    queryFn: async ({ signal }) => {
      const found: LooserFilter[] = [];
      // One after the other, because the server limits the searches of one user at a time.
      for (const { parameter } of filterTexts(filters)) {
        const { page } = await source.search({ ...without(filters, parameter), size: 0 }, { signal });
        found.push({ parameter, total: page.total });
      }
      return found.filter(({ total }) => total > 0).toSorted((a, b) => a.total - b.total);
    },
  });
  return data;
}
