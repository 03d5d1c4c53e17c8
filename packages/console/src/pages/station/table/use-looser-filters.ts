import type { SearchFilters, StationAddress } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { useStation } from '../../../api/api.tsx';
import type { FilterParameter } from '../../../navigation/filter-parameters.ts';
import { filterTexts, without } from '../../../navigation/filter-search.ts';

export interface LooserFilter {
  /** The filter to remove. */
  readonly parameter: FilterParameter;
  /** How many match without it. */
  readonly total: number;
}

/** Filters whose removal alone would give matches, fewest matches first. */
export function useLooserFilters(
  address: StationAddress,
  filters: SearchFilters,
  enabled: boolean,
): readonly LooserFilter[] {
  const station = useStation(address);
  const { data = [] } = useQuery({
    queryKey: ['looser', station.path, filters],
    enabled,
    queryFn: async ({ signal }) => {
      const found: LooserFilter[] = [];
      // One after the other, because the server limits the searches of one user at a time.
      for (const { parameter } of filterTexts(filters)) {
        const { page } = await station.manage.search({ ...without(filters, parameter), size: 0 }, { signal });
        found.push({ parameter, total: page.total });
      }
      return found.filter(({ total }) => total > 0).toSorted((a, b) => a.total - b.total);
    },
  });
  return data;
}
