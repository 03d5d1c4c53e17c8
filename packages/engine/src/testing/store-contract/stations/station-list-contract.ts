import { isInScope, parseScope, type Scope, type StationAddress } from '@roster/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Store } from '../../../port/store.ts';
import { allStations, aRecord, put, station } from '../fixture/contract-data.ts';
import type { StoreFixture } from '../fixture/store-fixture.ts';

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

/** Short enough to collide, now and then as long as a name can be. */
const hostileName = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.string({ unit: fc.constantFrom(...'aA%_*\\\'"$/机🦄ä'), minLength: 1, maxLength: 3 }),
  },
  { weight: 1, arbitrary: fc.constantFrom('a'.repeat(250), '🦄'.repeat(120)) },
);

/** The beginning of one station's address, or of nothing at all. */
function scopeNear(all: readonly StationAddress[]): fc.Arbitrary<Scope> {
  const names = fc.constantFrom(...all).map((address) => Object.values(address) as string[]);
  const part = fc.record({ isPrefix: fc.boolean(), characters: fc.nat(4), other: fc.option(hostileName) });
  return fc.tuple(names, fc.array(part, { maxLength: 4 })).map(([address, parts]) => {
    const written = parts.map(({ isPrefix, characters, other }, index) => {
      const whole = (other && index > 1 ? other : address[index])!;
      const text = isPrefix ? [...whole].slice(0, characters).join('') : whole;
      return `${encodeURIComponent(text).replaceAll('*', '%2A')}${isPrefix ? '*' : ''}`;
    });
    return parseScope([...written, ...(parts.length < 4 ? ['**'] : [])].join('/'));
  });
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

  it('filters by scopes, of which at least one must have the station', async () => {
    const { store } = fixture;
    await createAll(
      store,
      addresses(
        ['a', 'g', 'z', 'web-1'],
        ['a', 'g', 'z', 'web-2'],
        ['a', 'f', 'z', 'db'],
        ['b', 'g', 'z', 'db'],
      ),
    );
    const totalOf = async (scopes: string[], filter: object = {}) =>
      (await store.stations({ ...filter, scopes: scopes.map(parseScope), offset: 0, limit: 1 })).total;
    expect(await totalOf([])).toBe(0);
    expect(await totalOf(['**'])).toBe(4);
    expect(await totalOf(['a/**'])).toBe(3);
    expect(await totalOf(['a/g/z/web*', 'b/**'])).toBe(3);
    expect(await totalOf(['a/**', 'a/g/**', '*/g/**'])).toBe(4);
    expect(await totalOf(['c/**'])).toBe(0);
    expect(await totalOf(['%00/**', '%00*/**'])).toBe(0);
    expect(await totalOf(['a/**'], { name: 'db' })).toBe(1);
    expect(await totalOf(['a/**'], { namePrefix: 'web-', zone: 'z' })).toBe(2);
    expect(await totalOf(Array.from({ length: 100 }, (_, index) => `a/g/z/web-${index}`))).toBe(2);
  });

  it('finds the stations of any scopes, whatever their names', async () => {
    const { store } = fixture;
    const names = fc.sample(hostileName, { numRuns: 160, seed: 4711 });
    const all = Array.from({ length: 40 }, (_, index) => {
      const [subscription, resourceGroup, zone, name] = names.slice(index * 4, index * 4 + 4);
      return {
        subscription: subscription!,
        resourceGroup: resourceGroup!,
        zone: zone!,
        name: `${name}${index}`,
      };
    });
    await createAll(store, all);
    const known = (await allStations(store)).map(({ address }) => address);
    expect(known).toHaveLength(all.length);
    await fc.assert(
      fc.asyncProperty(fc.array(scopeNear(all), { maxLength: 100 }), fc.nat(50), async (scopes, offset) => {
        const expected = known.filter((address) => scopes.some((scope) => isInScope(scope, address)));
        const page = await store.stations({ scopes, offset, limit: 10 });
        expect(page.total).toBe(expected.length);
        expect(page.stations.map(({ address }) => address)).toEqual(expected.slice(offset, offset + 10));
      }),
      { numRuns: 60 },
    );
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
