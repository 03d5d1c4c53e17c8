import type { StationAddress } from '@roster/contract';
import type { Station, StationCounts } from '@roster/engine';
import type { Registry } from 'prom-client';
import type { Inventory } from './inventory.ts';
import { type GaugeValue, ScrapedGauge } from './scraped-gauge.ts';

/** States are an open set: a station shows so many, and the others together as `other`. */
const maxStates = 20;

/** What the inventory holds, by station. Of that there is nothing while the store does not answer. */
export function registerInventoryMetrics(registry: Registry, inventory: Inventory): void {
  const stations = async () => (await inventory.read())?.stations ?? [];

  new ScrapedGauge(registry, {
    name: 'roster_resources',
    help: 'Resources of a station, by alert state.',
    read: async () => countsByState(await stations()),
  });
  new ScrapedGauge(registry, {
    name: 'roster_resources_alertable',
    help: 'Resources of a station that can have alerts.',
    read: async () => figures(await stations(), ({ alertable }) => alertable),
  });
  new ScrapedGauge(registry, {
    name: 'roster_resources_without_rules',
    help: 'Resources of a station that can have alerts and have no alert rules.',
    read: async () => figures(await stations(), ({ uncovered }) => uncovered),
  });
  registerTotals(registry, inventory);
}

function registerTotals(registry: Registry, inventory: Inventory): void {
  new ScrapedGauge(registry, {
    name: 'roster_stations',
    help: 'Stations in all, those that are left out included.',
    async read() {
      const reading = await inventory.read();
      return reading === undefined ? [] : [{ value: reading.total }];
    },
  });
  new ScrapedGauge(registry, {
    name: 'roster_inventory_stations_left_out',
    help: 'Stations beyond the limit, of which no resources are shown.',
    async read() {
      const reading = await inventory.read();
      return reading === undefined ? [] : [{ value: reading.total - reading.stations.length }];
    },
  });
  new ScrapedGauge(registry, {
    name: 'roster_inventory_up',
    help: 'Whether the store told the inventory: 1 or 0.',
    read: async () => [{ value: (await inventory.read()) === undefined ? 0 : 1 }],
  });
}

function labelsOf({ subscription, resourceGroup, zone, name }: StationAddress): Record<string, string> {
  return { subscription, resource_group: resourceGroup, zone, station: name };
}

function* figures(
  stations: readonly Station[],
  figure: (counts: StationCounts) => number,
): Generator<GaugeValue> {
  for (const { address, counts } of stations) yield { labels: labelsOf(address), value: figure(counts) };
}

function* countsByState(stations: readonly Station[]): Generator<GaugeValue> {
  for (const { address, counts } of stations) {
    const labels = labelsOf(address);
    for (const [state, value] of shownStates(counts)) yield { labels: { ...labels, state }, value };
  }
}

/** The most frequent states, so that as little as possible is in `other`. */
function shownStates({ byState }: StationCounts): [string, number][] {
  const states = Object.entries(byState);
  if (states.length <= maxStates) return states;
  states.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const others = states.splice(maxStates - 1);
  return [...states, ['other', others.reduce((sum, [, count]) => sum + count, 0)]];
}
