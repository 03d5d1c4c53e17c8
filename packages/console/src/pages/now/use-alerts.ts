import type { FacetCounts, FoundResource, RosterClient } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../api/api.tsx';
import { refreshPace } from '../../api/refresh-pace.ts';
import { usePreferences } from '../../preferences/preferences.ts';

const hourMs = 3_600_000;
const rowsPerRequest = 1_000;
/** Beyond these, stations are asked one by one, the largest first. The rest only show how many they have. */
const mostRows = 3_000;
const mostStations = 10;
const rowsPerStation = 100;

type Counts = Readonly<Record<string, number>>;

/** What is in one state. */
export interface StateAlerts {
  readonly total: number;
  readonly inLastHour: number;
  /** As many as are loaded, of each station the longest. */
  readonly resources: readonly FoundResource[];
  /** How many each station has, by its path. */
  readonly byStation: Counts;
  /** Of stations that were asked on their own, how many each type has. */
  readonly byType: ReadonlyMap<string, Counts>;
}

export interface Alerts {
  readonly firing: StateAlerts;
  readonly pending: StateAlerts;
  /** How many resources are in each state. */
  readonly states: Counts;
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
  return { firing, pending, states };
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
  const rows = [...resources];
  while (rows.length < Math.min(page.total, mostRows)) {
    const more = await manage.search({ ...query, offset: rows.length }, { signal });
    if (more.resources.length === 0) break;
    rows.push(...more.resources);
  }
  // What moved between two requests may have come twice, and then something is missing.
  const found = withoutRepeats(rows);
  const byStation = countsOf(facets?.station);
  const common = { total: page.total, byStation, states: countsOf(facets?.state) };
  const since = new Date(Date.now() - hourMs).toISOString();
  if (found.length >= page.total) {
    const inLastHour = found.filter(({ state_since }) => state_since >= since).length;
    return { ...common, resources: found, byType: new Map(), inLastHour };
  }
  const [recent, ...apart] = await Promise.all([
    manage.search({ states: [state], stateSinceAfter: since, size: 1 }, { signal }),
    ...partlyLoaded(found, byStation).map(async (station) => {
      const asked = { ...query, stations: [station], facets: ['resource_type'], size: rowsPerStation };
      return { station, answer: await manage.search(asked, { signal }) };
    }),
  ]);
  return {
    ...common,
    resources: withoutRepeats([...found, ...apart.flatMap(({ answer }) => answer.resources)]),
    byType: new Map(apart.map(({ station, answer }) => [station, countsOf(answer.facets?.resource_type)])),
    inLastHour: recent.page.total,
  };
}

/** The largest stations of which something is missing. */
function partlyLoaded(found: readonly FoundResource[], byStation: Counts): string[] {
  const loaded = Map.groupBy(found, ({ station }) => station);
  return Object.entries(byStation)
    .filter(([station, count]) => (loaded.get(station)?.length ?? 0) < count)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, mostStations)
    .map(([station]) => station);
}

function withoutRepeats(resources: readonly FoundResource[]): FoundResource[] {
  const byKey = new Map(resources.map((each) => [`${each.station} ${each.resource_id}`, each]));
  return [...byKey.values()];
}

function countsOf(facet: FacetCounts | undefined): Counts {
  return Object.fromEntries((facet?.values ?? []).map(({ value, count }) => [value, count]));
}
