import type { StationClient, Summary } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { usePreferences } from '../../../preferences/preferences.ts';

/** All types and products of a station, regardless of the filters. */
export function useFacets(station: StationClient): Pick<Summary, 'types' | 'products'> {
  const { language } = usePreferences();
  const { data } = useQuery({
    queryKey: ['summary', station.path, language, 'all'],
    queryFn: ({ signal }) => station.manage.summary({}, { signal }),
    staleTime: 60_000,
  });
  return data ?? { types: [], products: [] };
}
