import { setTimeout as delay } from 'node:timers/promises';
import {
  type EverywhereQuery,
  fullScope,
  isInScope,
  parseScope,
  type Resource,
  type Scope,
  type StationAddress,
  stationKey,
  stationPath,
} from '@roster/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { scale } from '../../../../testing/scale.ts';
import { Engine } from '../engine.ts';
import { Everywhere } from '../everywhere/everywhere.ts';
import { resourceAt } from '../index/render/render-records.ts';
import type { Store } from '../port/store.ts';
import { TimeSlicer } from '../scheduling/time-slicer.ts';
import type { EngineData } from './engine-suite.ts';
import { anySearch, anything } from './snapshots/arbitrary-search.ts';
import { anyResource, backgroundResources } from './snapshots/arbitrary-station.ts';
import { countNaively, searchNaively } from './snapshots/naive-search.ts';
import { emptyStore } from './store-contract/fixture/store-fixture.ts';

let data: EngineData;
let store: Store;
let engine: Engine;
let everywhere: Everywhere;

/** The stations as plain maps, in the order of their keys. */
let world: Map<string, { address: StationAddress; resources: Map<string, Resource> }>;

const addresses = ['a', 'b'].flatMap((subscription) =>
  ['x', 'y'].flatMap((zone) =>
    ['one', 'two'].map((name) => ({ subscription, resourceGroup: 'g', zone, name })),
  ),
);
const everyone = [fullScope];
const somewhere = {
  subscriptions: undefined,
  resourceGroups: undefined,
  zones: undefined,
  stations: undefined,
};
const anywhere: EverywhereQuery = { ...anything, within: somewhere };

const anyScopes: fc.Arbitrary<readonly Scope[]> = fc.constantFrom(
  everyone,
  everyone,
  [parseScope('a/**')],
  [parseScope('a/g/x/one'), parseScope('b/g/**')],
  [parseScope('none/**')],
  [],
);

const anyEverywhere: fc.Arbitrary<EverywhereQuery> = fc
  .record({
    search: anySearch,
    subscriptions: fc.constantFrom(undefined, undefined, ['a'], ['a', 'none']),
    zones: fc.constantFrom(undefined, undefined, undefined, ['y']),
    stations: fc.constantFrom(undefined, undefined, undefined, ['one'], [stationPath(addresses[1]!), 'none']),
    page: fc.record({ offset: fc.constantFrom(0, 0, 3, 30), size: fc.constantFrom(5, 50, 1000) }),
    facets: fc.subarray([
      'station',
      'subscription',
      'zone',
      'state',
      'resource_type',
      'covered',
      'label.rack',
    ]),
  })
  .map(({ search, page, facets, ...filters }) => ({
    ...search,
    page,
    facets,
    within: { ...somewhere, ...filters },
  }));

function search(query: EverywhereQuery, scopes = everyone) {
  return everywhere.search({ query, scopes, reader: 'test', slicer: new TimeSlicer() });
}

async function write(address: StationAddress, resources: readonly Resource[]): Promise<void> {
  const batch = await store.openBatch(address);
  await batch.add(resources.map((record, at) => ({ line: at + 1, record })));
  await batch.commit();
  const known = world.get(stationKey(address))!.resources;
  for (const resource of resources) known.set(resource.resourceId, { ...resource });
}

async function remove(address: StationAddress, resourceId: string): Promise<void> {
  await store.removeResource(address, resourceId);
  world.get(stationKey(address))!.resources.delete(resourceId);
}

async function create(address: StationAddress): Promise<void> {
  await store.createStation(address);
  world.set(stationKey(address), { address, resources: new Map() });
}

async function drop(address: StationAddress): Promise<void> {
  await store.deleteStation(address);
  world.delete(stationKey(address));
}

function isWanted(address: StationAddress, { within }: EverywhereQuery, scopes: readonly Scope[]): boolean {
  const { subscriptions, zones, stations } = within;
  return (
    scopes.some((scope) => isInScope(scope, address)) &&
    (subscriptions === undefined || subscriptions.includes(address.subscription)) &&
    (zones === undefined || zones.includes(address.zone)) &&
    (stations === undefined || stations.includes(address.name) || stations.includes(stationPath(address)))
  );
}

/** The resources of the wanted stations. Equal ones are told apart by where they are. */
function resourcesIn(query: EverywhereQuery, scopes: readonly Scope[]): Map<Resource, StationAddress> {
  const keys = [...world.keys()].sort();
  const { field, isDescending } = query.order;
  if (field === 'display_name' && isDescending) keys.reverse();
  const found = new Map<Resource, StationAddress>();
  for (const key of keys) {
    const { address, resources } = world.get(key)!;
    if (!isWanted(address, query, scopes)) continue;
    for (const resource of resources.values()) found.set(resource, address);
  }
  return found;
}

function countIn(query: EverywhereQuery, facet: string, scopes: readonly Scope[]): Record<string, number> {
  const fields = { station: 'stations', subscription: 'subscriptions', zone: 'zones' } as const;
  const field = fields[facet as keyof typeof fields];
  if (field === undefined) return countNaively(resourcesIn(query, scopes).keys(), query, facet);
  const wider = { ...query, within: { ...query.within, [field]: undefined } };
  const resources = resourcesIn(wider, scopes);
  const counts: Record<string, number> = {};
  for (const resource of searchNaively(resources.keys(), query)) {
    const address = resources.get(resource)!;
    const value = facet === 'station' ? stationPath(address) : address[facet as 'subscription' | 'zone'];
    counts[value] = (counts[value] ?? 0) + 1;
  }
  return counts;
}

async function expectAsModel(query: EverywhereQuery, scopes: readonly Scope[]): Promise<void> {
  const { rows, total, facets } = await search(query, [...scopes]);
  const resources = resourcesIn(query, scopes);
  const expected = searchNaively(resources.keys(), query);
  const { offset, size } = query.page;
  expect(total).toBe(expected.length);
  expect(
    rows.map(({ snapshot, slot, station }) => [stationKey(station), resourceAt(snapshot, slot)]),
  ).toEqual(expected.slice(offset, offset + size).map((each) => [stationKey(resources.get(each)!), each]));
  const counted = Object.fromEntries(
    Array.from(facets ?? [], ([facet, { values }]) => [
      facet,
      Object.fromEntries(values.map(({ value, count }) => [value, count])),
    ]),
  );
  expect(counted).toEqual(
    Object.fromEntries(query.facets.map((facet) => [facet, countIn(query, facet, scopes)])),
  );
}

const batches = fc.uniqueArray(anyResource, { selector: (each) => each.resourceId, maxLength: 25 });

/** What searches of all stations find with any store, as tests. */
export function runEverywhereSuite(createData: () => Promise<EngineData>): void {
  beforeAll(async () => {
    data = await createData();
    store = await data.open();
  });
  beforeEach(async () => {
    await emptyStore(store);
    world = new Map();
    engine = new Engine(store, { memoryBudgetBytes: 1e9, snapshotRetentionMs: 60_000 });
    const read = (address: StationAddress) => engine.read(address);
    everywhere = new Everywhere({ store, labelOf: (key) => key, read, maxResources: 1e6, maxHeldSize: 40 });
  });

  afterAll(async () => {
    await store.close();
    await data.dispose();
  });

  it('finds what a plain filter and sort over all stations would, after any writes', async () => {
    for (const address of addresses) await create(address);
    const searches = fc.sample(fc.tuple(anyEverywhere, anyScopes), { numRuns: scale(40, 150), seed: 7 });
    const writes = fc.sample(fc.tuple(fc.nat(7), batches), { numRuns: scale(24, 80), seed: 11 });
    for (const [round, [at, resources]] of writes.entries()) {
      const address = addresses[at]!;
      await write(address, resources);
      const [first] = world.get(stationKey(address))!.resources.keys();
      if (round % 3 === 1 && first !== undefined) await remove(address, first);
      if (round % 7 === 5) await drop(address).then(() => create(address));
      if (round % 4 !== 3) continue;
      for (const [query, scopes] of searches) await expectAsModel(query, scopes);
    }
  });

  it('follows stations with many resources in other states than inactive', async () => {
    const [large, other] = addresses as [StationAddress, StationAddress];
    await create(large);
    await create(other);
    const firing = { ...anywhere, states: ['ALERTSTATE_FIRING'], page: { offset: 0, size: 1000 } };
    const background = backgroundResources(900).map((each) => ({ ...each, state: 'ALERTSTATE_FIRING' }));
    await write(large, background);
    await write(other, background.slice(0, 3));
    await expectAsModel(firing, everyone);
    await write(
      large,
      background.slice(0, 50).map((each) => ({ ...each, state: 'ALERTSTATE_INACTIVE', stateSinceMs: 1 })),
    );
    await remove(large, background[60]!.resourceId);
    await expectAsModel(firing, everyone);
    await store.compactHistory(0);
    await write(large, [{ ...background[0]!, stateSinceMs: 2 }]);
    await store.compactHistory(0);
    await expectAsModel(firing, everyone);
    await drop(large);
    await expectAsModel(firing, everyone);
  });

  it('forgets a deleted station, even if another one that was found by a narrower search took its place', async () => {
    const [first, second, third] = addresses as [StationAddress, StationAddress, StationAddress];
    const [sample] = backgroundResources(1);
    const firing = { ...sample!, state: 'ALERTSTATE_FIRING' };
    for (const query of [anywhere, { ...anywhere, states: ['ALERTSTATE_FIRING'] }]) {
      for (const address of [first, second]) await create(address).then(() => write(address, [firing]));
      await expectAsModel(query, everyone);
      await drop(first);
      await create(third).then(() => write(third, [firing]));
      await expectAsModel({ ...query, within: { ...somewhere, stations: [stationPath(third)] } }, everyone);
      await expectAsModel(query, everyone);
      for (const address of [second, third]) await drop(address);
    }
  });

  it('keeps a new station although a search that began before it ends later', async () => {
    await create(addresses[0]!);
    await write(addresses[0]!, backgroundResources(1));
    const listed = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    class LongPause extends TimeSlicer {
      override get isDue(): boolean {
        return true;
      }
      override pause(): Promise<void> {
        listed.resolve();
        return ended.promise;
      }
    }
    const query = { ...anywhere, within: { ...somewhere, subscriptions: ['a'] } };
    const earlier = everywhere.search({ query, scopes: everyone, reader: 'test', slicer: new LongPause() });
    await listed.promise;
    const added = { ...addresses[0]!, name: 'added' };
    await create(added);
    await write(added, backgroundResources(1));
    expect((await search(anywhere)).total).toBe(2);
    ended.resolve();
    await earlier;
    expect((await search(anywhere)).total).toBe(2);
  });

  it('leaves out a large station that is deleted while it searches', async () => {
    const [large, small] = addresses as [StationAddress, StationAddress];
    for (const address of [large, small]) await create(address);
    await write(large, backgroundResources(60));
    await write(small, backgroundResources(5));
    const read = async (address: StationAddress) => {
      await store.deleteStation(address);
      return engine.read(address);
    };
    const slow = new Everywhere({ store, labelOf: (key) => key, read, maxResources: 1e6, maxHeldSize: 40 });
    const search = { query: anywhere, scopes: everyone, reader: 'test', slicer: new TimeSlicer() };
    expect((await slow.search(search)).total).toBe(5);
  });

  it('shows every write that was acknowledged before the search began, to all who search at once', async () => {
    const [address] = addresses as [StationAddress];
    await create(address);
    const firing = { ...anywhere, states: ['ALERTSTATE_FIRING'] };
    const [sample] = backgroundResources(1);
    for (let round = 1; round <= 20; round++) {
      const id = `r-${round}`;
      await write(address, [{ ...sample!, resourceId: id, name: id, state: 'ALERTSTATE_FIRING' }]);
      const found = await Promise.all(Array.from({ length: 5 }, () => search(firing)));
      expect(found.map(({ total }) => total)).toEqual(Array.from({ length: 5 }, () => round));
    }
  });

  it('refuses to look at more than it may hold, unless the search is narrowed', async () => {
    const [first, second] = addresses as [StationAddress, StationAddress];
    for (const address of [first, second]) {
      await create(address);
      await write(address, backgroundResources(30));
    }
    const narrow = new Everywhere({
      store,
      labelOf: (key) => key,
      read: (address) => engine.read(address),
      maxResources: 40,
    });
    const ask = (query: EverywhereQuery) =>
      narrow.search({ query, scopes: everyone, reader: 'test', slicer: new TimeSlicer() });
    await expect(ask(anywhere)).rejects.toMatchObject({
      code: 'search_too_wide',
      extensions: { resources: 60, max_resources: 40 },
    });
    expect((await ask({ ...anywhere, states: ['ALERTSTATE_FIRING'] })).total).toBeGreaterThan(0);
    for (const { name } of [first, second, first]) {
      expect((await ask({ ...anywhere, within: { ...somewhere, stations: [name] } })).total).toBe(30);
    }
  });

  it('counts what it holds, and drops it when nobody searches and memory is short', async () => {
    const [address] = addresses as [StationAddress];
    await create(address);
    await write(address, backgroundResources(30));
    const memoryBudgetBytes = 50_000;
    const ask = async (small: Engine) => {
      const search = { query: anywhere, scopes: everyone, reader: 'test', slicer: new TimeSlicer() };
      expect((await small.searchEverywhere(search)).total).toBe(30);
    };
    const keeping = new Engine(store, { memoryBudgetBytes, snapshotRetentionMs: 600_000 });
    await ask(keeping);
    keeping.tidy();
    expect(keeping.size().bytes).toBeGreaterThan(memoryBudgetBytes);
    const dropping = new Engine(store, { memoryBudgetBytes, snapshotRetentionMs: 1 });
    await ask(dropping);
    expect(dropping.size().bytes).toBeGreaterThan(memoryBudgetBytes);
    await delay(10);
    dropping.tidy();
    expect(dropping.size().bytes).toBe(0);
    await ask(dropping);
  });

  it('does not answer when a resource is missing that a station counts', async () => {
    const [address] = addresses as [StationAddress];
    await create(address);
    await write(address, backgroundResources(30));
    await data.execute("DELETE FROM resources WHERE resource_id = 'bg-0'");
    await expect(search(anywhere)).rejects.toMatchObject({ code: 'data_damaged' });
  });
}
