import { setTimeout as sleep } from 'node:timers/promises';
import { RosterError } from '@roster/contract';
import type { Engine, MaybePromise, Station, StationCounts, StationPage, Store } from '@roster/engine';
import type { Registry } from 'prom-client';
import { type GaugeValue, gaugesIn } from './scraped-gauge.ts';

/** States are an open set: a station shows this many, and `other` sums up the rest. */
const maxStates = 20;
/** Scrapes share a reading for this long. */
const maxAgeMs = 5_000;
/** Prometheus gives a scrape ten seconds; the store must not use them up. */
const storeTimeoutMs = 3_000;

/** What the store holds, by station. Loads nothing, and shows nothing while the store does not answer. */
export function registerInventoryMetrics(registry: Registry, store: Store, maxStations: number): void {
  const gauge = gaugesIn(registry);
  const read = inventoryReader(store, maxStations);
  const stations = async () => (await read())?.stations ?? [];

  gauge('roster_resources', 'Resources of a station, by alert state.', async () =>
    countsByState(await stations()),
  );
  gauge('roster_resources_alertable', 'Resources of a station that can have alerts.', async () =>
    figures(await stations(), ({ alertable }) => alertable),
  );
  gauge(
    'roster_resources_without_rules',
    'Resources of a station that can have alerts and have no alert rules.',
    async () => figures(await stations(), ({ uncovered }) => uncovered),
  );
  gauge(
    'roster_stations',
    'Number of stations, including those left out.',
    async () => (await read())?.total,
  );
  gauge(
    'roster_inventory_stations_left_out',
    'Stations beyond the limit, of which no resources are shown.',
    async () => {
      const page = await read();
      return page && page.total - page.stations.length;
    },
  );
  gauge('roster_inventory_up', '1 if the inventory could be read from the store, else 0.', async () =>
    (await read()) === undefined ? 0 : 1,
  );
}

export function registerDamageMetrics(registry: Registry, engine: Engine, store: Store): void {
  gaugesIn(registry)(
    'roster_damaged_stations',
    'Requested stations that are not served because their stored data is damaged; plus one while the list of stations is damaged.',
    async () => engine.damagedStations + ((await isListDamaged(store)) ? 1 : 0),
  );
}

/** Rejects if the store does not answer in time. */
export function withinTime<T>(answer: MaybePromise<T>): Promise<T> {
  const late = sleep(storeTimeoutMs, undefined, { ref: false }).then(() => {
    throw new Error(`the store did not answer within ${storeTimeoutMs} ms`);
  });
  return Promise.race([answer, late]);
}

async function isListDamaged(store: Store): Promise<boolean> {
  try {
    await withinTime((async () => store.stations({ offset: 0, limit: 0 }))());
    return false;
  } catch (error) {
    return error instanceof RosterError && error.code === 'data_damaged';
  }
}

/** Reads the first stations by address. Undefined if the store does not answer. */
function inventoryReader(store: Store, maxStations: number): () => Promise<StationPage | undefined> {
  let page: Promise<StationPage | undefined> | undefined;
  let readAtMs = 0;
  const ask = async () => withinTime(store.stations({ offset: 0, limit: maxStations }));
  return () => {
    const nowMs = performance.now();
    if (page === undefined || nowMs - readAtMs > maxAgeMs) {
      readAtMs = nowMs;
      page = ask().catch(() => undefined);
    }
    return page;
  };
}

function labelsOf({ address: { subscription, resourceGroup, zone, name } }: Station): GaugeValue['labels'] {
  return { subscription, resource_group: resourceGroup, zone, station: name };
}

function* figures(
  stations: readonly Station[],
  figure: (counts: StationCounts) => number,
): Generator<GaugeValue> {
  for (const station of stations) yield { labels: labelsOf(station), value: figure(station.counts) };
}

function* countsByState(stations: readonly Station[]): Generator<GaugeValue> {
  for (const station of stations) {
    const labels = labelsOf(station);
    for (const [state, value] of shownStates(station.counts)) yield { labels: { ...labels, state }, value };
  }
}

/** The most frequent states: as little as possible goes to `other`. */
function shownStates({ byState }: StationCounts): [string, number][] {
  const states = Object.entries(byState);
  if (states.length <= maxStates) return states;
  states.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const others = states.splice(maxStates - 1);
  return [...states, ['other', others.reduce((sum, [, count]) => sum + count, 0)]];
}
