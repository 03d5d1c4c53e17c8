import type { Filters, StationAddress } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { useStation } from '../../../api/api.tsx';
import { without } from '../../../navigation/filter-search.ts';

export interface LooserFilter {
  /** The filter to remove. */
  readonly name: keyof Filters;
  /** How many match without it. */
  readonly total: number;
}

/** Filters whose removal alone would give matches, fewest matches first. */
export function useLooserFilters(
  address: StationAddress,
  filters: Filters,
  enabled: boolean,
): readonly LooserFilter[] {
  const station = useStation(address);
  const { data = [] } = useQuery({
    queryKey: ['looser', station.path, filters],
    enabled,
    queryFn: async ({ signal }) => {
      const names = Object.keys(filters) as (keyof Filters)[];
      const found = await Promise.all(
        names.map(async (name) => ({ name, total: await station.count(without(filters, name), { signal }) })),
      );
      return found.filter(({ total }) => total > 0).toSorted((a, b) => a.total - b.total);
    },
  });
  return data;
}
