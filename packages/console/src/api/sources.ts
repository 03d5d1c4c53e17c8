import { type Source, type StationAddress, stationPath } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useClient } from './api.tsx';
import { countUntied } from './count-untied.ts';
import { type Doubt, type Doubts, doubtsOf, isSilent } from './doubts.ts';

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

const pathOf = (address: StationAddress) => stationPath(address).replace(/^\//, '');

/** What is in doubt about the stations of sources that do not answer. */
export function useDoubts(): Doubts {
  const { data } = useSources();
  return useMemo(() => doubtsOf(data ?? []), [data]);
}

export function useDoubt(address: StationAddress): Doubt | undefined {
  return useDoubts().get(pathOf(address));
}

/** The sources of a station that do not answer, or of any station that one may see. */
export function useSilentSources(address?: StationAddress): readonly Source[] {
  const { data = [] } = useSources();
  const path = address && pathOf(address);
  return data.filter((source) => isSilent(source) && (path === undefined || source.stations.includes(path)));
}

/** Whether every source is known to answer for all its stations, so that no alert is missing. */
export function useAreSourcesUp(): boolean {
  const { data, isError } = useSources();
  return data !== undefined && !isError && data.every(({ health }) => health === 'up');
}

/** As of when the states of a station are, or of all that one may see, in milliseconds unless they are current. */
export function useStatesAsOf(address?: StationAddress): number | 'now' | 'unknown' | 'loading' {
  const { data, isError, errorUpdateCount } = useSources();
  const reads = useSilentSources(address).map(({ last_read }) => last_read);
  // While an attempt after a first failure is under way, there is neither data nor an error.
  if (isError || (data === undefined && errorUpdateCount > 0)) return 'unknown';
  if (data === undefined) return 'loading';
  if (reads.length === 0) return 'now';
  return reads.includes(null) ? 'unknown' : Math.min(...reads.map((time) => Date.parse(time!)));
}

/** How many alerts of all sources show in no list. */
export function useUntiedAlerts(): number {
  return countUntied(useSources().data ?? []);
}
