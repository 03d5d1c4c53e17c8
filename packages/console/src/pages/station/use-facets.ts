import type { StationClient, Summary } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { usePreferences } from '../../preferences/preferences.ts';

/** What a station has to choose from: its types and products, whatever is filtered now. */
export function useFacets(station: StationClient): Pick<Summary, 'types' | 'products'> {
  const { language } = usePreferences();
  const { data } = useQuery({
    queryKey: ['summary', station.path, language, 'all'],
    queryFn: ({ signal }) => station.manage.summary({}, { signal }),
    staleTime: 60_000,
  });
  return data ?? { types: [], products: [] };
}
