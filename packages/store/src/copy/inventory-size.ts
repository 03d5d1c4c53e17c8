import type { Store } from '@roster/engine';
import { allStations } from './all-stations.ts';

/** How much an inventory holds. */
export interface InventorySize {
  readonly stations: number;
  readonly resources: number;
  readonly types: number;
  readonly tokens: number;
}

export async function inventorySize(store: Store): Promise<InventorySize> {
  let stations = 0;
  let resources = 0;
  for await (const { counts } of allStations(store)) {
    stations++;
    resources += counts.resources;
  }
  const { types } = await store.catalog();
  return { stations, resources, types: types.size, tokens: (await store.tokens.list()).length };
}
