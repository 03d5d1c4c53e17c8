import type { StationAddress } from '@roster/contract';
import { expect, it } from 'vitest';
import type { Store } from '../store.ts';
import { allStations, aRecord, put, station } from './contract-data.ts';
import type { StoreFixture } from './store-fixture.ts';

async function createAll(store: Store, addresses: readonly StationAddress[]): Promise<void> {
  for (const address of addresses) await store.createStation(address);
}

function addresses(...parts: [string, string, string, string][]): StationAddress[] {
  return parts.map(([subscription, resourceGroup, zone, name]) => ({
    subscription,
    resourceGroup,
    zone,
    name,
  }));
}

export function stationListContract(fixture: StoreFixture): void {
  it('lists all stations, and no others', async () => {
    const { store } = fixture;
    expect(await store.stations({ offset: 0, limit: 10 })).toEqual({ stations: [], total: 0 });
    const other = { ...station, zone: 'other' };
    await createAll(store, [station, other]);
    const { head } = await put(store, [aRecord('a')]);
    const [first, second] = await allStations(store);
    expect(first).toMatchObject({ address: other, head: { number: 0 }, counts: { resources: 0 } });
    expect(second).toMatchObject({ address: station, head, counts: { resources: 1 } });
    await store.deleteStation(station);
    expect((await allStations(store)).map(({ address }) => address)).toEqual([other]);
  });

  it('orders them by subscription, resource group, zone and name, by UTF-16 code units', async () => {
    const { store } = fixture;
    const inOrder = addresses(
      ['A', 'z', 'z', 'z'],
      ['a', 'a', 'a', 'a'],
      ['a', 'a', 'a', 'a b'],
      ['a', 'a', 'a', 'ab'],
      ['a', 'a', 'b', 'a'],
      ['a', 'b', 'a', 'a'],
      ['a b', 'a', 'a', 'a'],
      ['a-b', 'a', 'a', 'a'],
      ['ab', 'a', 'a', 'a'],
      ['ä', 'a', 'a', 'a'],
      ['机', 'a', 'a', 'a'],
      // Above U+FFFF by code point, yet its first code unit is below the next one.
      ['🦄', 'a', 'a', 'a'],
      ['\uffee', 'a', 'a', 'a'],
    );
    await createAll(store, [...inOrder].reverse());
    expect((await allStations(store)).map(({ address }) => address)).toEqual(inOrder);
  });

  it('filters by each name and by the beginning of the last, all of which must hold', async () => {
    const { store } = fixture;
    await createAll(
      store,
      addresses(
        ['s', 'g', 'z', 'web-1'],
        ['s', 'g', 'z', 'web-2'],
        ['s', 'g', 'y', 'web-1'],
        ['s', 'f', 'z', 'web-1'],
        ['t', 'g', 'z', 'Web-1'],
        ['t', 'g', 'z', 'db_1'],
      ),
    );
    const totalOf = async (filter: object) => {
      const { total, stations } = await store.stations({ ...filter, offset: 0, limit: 100 });
      expect(stations).toHaveLength(total);
      return total;
    };
    expect(await totalOf({})).toBe(6);
    expect(await totalOf({ subscription: 's' })).toBe(4);
    expect(await totalOf({ resourceGroup: 'f' })).toBe(1);
    expect(await totalOf({ zone: 'z' })).toBe(5);
    expect(await totalOf({ name: 'web-1' })).toBe(3);
    expect(await totalOf({ namePrefix: 'web' })).toBe(4);
    expect(await totalOf({ namePrefix: 'db_' })).toBe(1);
    expect(await totalOf({ namePrefix: '%' })).toBe(0);
    expect(await totalOf({ namePrefix: '' })).toBe(6);
    expect(await totalOf({ subscription: 's', zone: 'z', namePrefix: 'web-1' })).toBe(2);
    expect(await totalOf({ subscription: 't', namePrefix: 'web' })).toBe(0);
    expect(await totalOf({ subscription: '' })).toBe(0);
  });

  it('pages, with the number of all matches', async () => {
    const { store } = fixture;
    const names = ['a', 'b', 'c', 'd', 'e'];
    await createAll(
      store,
      names.map((name) => ({ ...station, name })),
    );
    await store.createStation({ ...station, zone: 'other' });
    const page = async (offset: number, limit: number) => {
      const { stations, total } = await store.stations({ zone: station.zone, offset, limit });
      expect(total).toBe(5);
      return stations.map(({ address }) => address.name).join('');
    };
    expect(await page(0, 2)).toBe('ab');
    expect(await page(2, 2)).toBe('cd');
    expect(await page(4, 2)).toBe('e');
    expect(await page(5, 2)).toBe('');
    expect(await page(0, 0)).toBe('');
    expect(await page(0, 100)).toBe('abcde');
  });

  it('lists what changed since the last list', async () => {
    const { store } = fixture;
    await store.createStation(station);
    await allStations(store);
    const other = { ...station, name: 'a' };
    await store.createStation(other);
    await put(store, [aRecord('a')]);
    expect((await allStations(store)).map(({ address, head }) => [address.name, head.number])).toEqual([
      ['a', 0],
      [station.name, 1],
    ]);
  });
}
