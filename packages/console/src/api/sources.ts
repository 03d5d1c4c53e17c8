import { type Source, type StationAddress, stationPath } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { useClient } from './api.tsx';

const refetchMs = 5_000;

/** The sources, read again every few seconds: their health changes by itself. */
export function useSources() {
  const client = useClient();
  return useQuery<readonly Source[]>({
    queryKey: ['sources'],
    queryFn: ({ signal }) => client.manage.sources({ signal }),
    refetchInterval: refetchMs,
  });
}

/** The sources of a station that do not answer, or of any station that one may see. */
export function useSilentSources(address?: StationAddress): readonly Source[] {
  const { data = [] } = useSources();
  const path = address && stationPath(address).replace(/^\//, '');
  return data.filter(
    ({ health, stations }) => health === 'down' && (path === undefined || stations.includes(path)),
  );
}

/** How many alerts of all sources belong to no resource, or to no single one: they show in no list. */
export function useUntiedAlerts(): number {
  const { data = [] } = useSources();
  return data.reduce((sum, { alerts: { unmatched, ambiguous } }) => sum + unmatched + ambiguous, 0);
}
