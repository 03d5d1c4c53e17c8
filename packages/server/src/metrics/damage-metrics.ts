import { RosterError } from '@roster/contract';
import type { Engine, Store } from '@roster/engine';
import type { Registry } from 'prom-client';
import { ScrapedGauge } from './scraped-gauge.ts';
import { withinTime } from './within-time.ts';

/** How much of the inventory is not served because it is damaged. */
export function registerDamageMetrics(registry: Registry, engine: Engine, store: Store): void {
  new ScrapedGauge(registry, {
    name: 'roster_damaged_stations',
    help: 'Stations that are not served because what is stored of them is damaged, of those that were asked for. One more while the list of stations itself is damaged.',
    read: async () => [{ value: engine.damagedStations + ((await isListDamaged(store)) ? 1 : 0) }],
  });
}

async function isListDamaged(store: Store): Promise<boolean> {
  try {
    await withinTime((async () => store.stations({ offset: 0, limit: 0 }))());
    return false;
  } catch (error) {
    return error instanceof RosterError && error.code === 'data_damaged';
  }
}
