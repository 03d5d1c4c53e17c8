import type { Station, Store } from '@roster/engine';

const stationsPerPage = 1_000;

/** Every station in order. One that comes or goes meanwhile may be missed, or come twice. */
export async function* allStations(store: Store): AsyncGenerator<Station, void, undefined> {
  for (let offset = 0; ; offset += stationsPerPage) {
    const { stations } = await store.stations({ offset, limit: stationsPerPage });
    yield* stations;
    if (stations.length < stationsPerPage) return;
  }
}
