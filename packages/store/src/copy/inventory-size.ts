import { type Station, type Store, type StoredView, tokenOfOwner } from '@roster/engine/port';

export interface InventorySize {
  readonly stations: number;
  readonly resources: number;
  readonly types: number;
  readonly tokens: number;
  readonly views: number;
}

export async function inventorySize(store: Store): Promise<InventorySize> {
  let stations = 0;
  let resources = 0;
  for await (const { counts } of allStations(store)) {
    stations++;
    resources += counts.resources;
  }
  const { types } = await store.catalog();
  const tokens = (await store.tokens.list()).length;
  return { stations, resources, types: types.size, tokens, views: (await store.views.list()).length };
}

/** All views but those of tokens that the target does not have. */
export async function viewsToCopy(from: Store, to: Store): Promise<StoredView[]> {
  const tokens = new Set((await to.tokens.list()).map(({ id }) => id));
  return (await from.views.list()).filter(({ owner }) => {
    const token = tokenOfOwner(owner);
    return token === undefined || tokens.has(token);
  });
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
