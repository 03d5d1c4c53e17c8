import type { Station, Store } from '@roster/engine';

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

const stationsPerPage = 1_000;

/** Every station in order. One created or deleted meanwhile may be missed or come twice. */
export async function* allStations(store: Store): AsyncGenerator<Station, void, undefined> {
  for (let offset = 0; ; offset += stationsPerPage) {
    const { stations } = await store.stations({ offset, limit: stationsPerPage });
    yield* stations;
    if (stations.length < stationsPerPage) return;
  }
}
