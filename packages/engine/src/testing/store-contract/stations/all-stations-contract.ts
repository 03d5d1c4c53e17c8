import type { StationAddress } from '@roster/contract';
import { expect, it } from 'vitest';
import { aRecord, put } from '../fixture/contract-data.ts';
import type { StoreFixture } from '../fixture/store-fixture.ts';

const at = (name: string): StationAddress => ({ subscription: 'all', resourceGroup: 'g', zone: 'z', name });

export function allStationsContract(fixture: StoreFixture): void {
  it('returns every station as of now, in order, and what has not changed as it was', async () => {
    const { store } = fixture;
    for (const name of ['b', 'a', 'ä', '\uffff', 'c d']) await store.createStation(at(name));
    const { stations } = await store.stations({ offset: 0, limit: 1000 });
    const first = await store.allStations();
    expect(first).toEqual(stations);
    expect(await store.allStations()).toBe(first);

    const { head } = await put(store, [aRecord('one')], { address: at('a') });
    await store.deleteStation(at('ä'));
    const second = await store.allStations();
    const named = (name: string) => second.find(({ address }) => address.name === name);
    expect(named('a')).toMatchObject({ head, counts: { resources: 1 } });
    expect(named('ä')).toBeUndefined();
    expect(named('b')).toBe(first.find(({ address }) => address.name === 'b'));

    await store.createStation(at('ä'));
    expect(await store.allStations()).toEqual((await store.stations({ offset: 0, limit: 1000 })).stations);
  });

  it('shows every write that was acknowledged before, however many ask', async () => {
    const { store } = fixture;
    await store.createStation(at('busy'));
    for (let round = 1; round <= 20; round++) {
      const asked = [store.allStations(), store.allStations()];
      await put(store, [aRecord(`r${round}`)], { address: at('busy') });
      asked.push(store.allStations(), store.allStations());
      const answers = await Promise.all(asked);
      for (const all of answers.slice(2)) {
        expect(all.find(({ address }) => address.name === 'busy')!.counts.resources).toBe(round);
      }
    }
  });
}
