import type { FacetCounts, FoundResource, RosterClient } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../api/api.tsx';
import { refreshPace } from '../../api/refresh-pace.ts';
import { usePreferences } from '../../preferences/preferences.ts';

const rowsPerRequest = 1_000;
/** With more than this, types are named but not counted. */
const mostRows = 3_000;

export interface StateAlerts {
  readonly total: number;
  /** The longest first, as many as are loaded. */
  readonly resources: readonly FoundResource[];
  /** How many each station has, by its path. */
  readonly byStation: Readonly<Record<string, number>>;
}

export interface Alerts {
  readonly firing: StateAlerts;
  readonly pending: StateAlerts;
  /** How many resources are in each state. */
  readonly states: Readonly<Record<string, number>>;
  /** Whether all of them are loaded. */
  readonly isComplete: boolean;
}

/** What fires and what is about to, in all stations that the user may see. */
export function useAlerts() {
  const client = useClient();
  const { language } = usePreferences();
  return useQuery({
    queryKey: ['alerts', language],
    queryFn: ({ signal }) => readAlerts(client, signal),
    refetchInterval: ({ state }) => refreshPace(rowsOf(state.data)),
    staleTime: 0,
  });
}

const rowsOf = (alerts: Alerts | undefined) =>
  alerts === undefined ? 0 : alerts.firing.resources.length + alerts.pending.resources.length;

async function readAlerts(client: RosterClient, signal: AbortSignal): Promise<Alerts> {
  const [{ states, ...firing }, { states: _, ...pending }] = await Promise.all([
    readState(client, 'firing', signal),
    readState(client, 'pending', signal),
  ]);
  return {
    firing,
    pending,
    states,
    isComplete: [firing, pending].every(({ total, resources }) => resources.length >= total),
  };
}

async function readState(
  { manage }: RosterClient,
  state: 'firing' | 'pending',
  signal: AbortSignal,
): Promise<StateAlerts & Pick<Alerts, 'states'>> {
  const query = { states: [state], orderBy: 'state_since', size: rowsPerRequest };
  const { page, resources, facets } = await manage.search(
    { ...query, facets: ['station', 'state'] },
    { signal },
  );
  const found = [...resources];
  while (found.length < Math.min(page.total, mostRows)) {
    const more = await manage.search({ ...query, offset: found.length }, { signal });
    if (more.resources.length === 0) break;
    found.push(...more.resources);
  }
  return {
    total: page.total,
    resources: found,
    byStation: countsOf(facets?.station),
    states: countsOf(facets?.state),
  };
}

function countsOf(facet: FacetCounts | undefined): Record<string, number> {
  return Object.fromEntries((facet?.values ?? []).map(({ value, count }) => [value, count]));
}
