import type { StationAddress } from '@roster/contract';
import { beforeEach, expect, it } from 'vitest';
import { aRecord, collect, put, station } from '../fixture/contract-data.ts';
import type { StoreFixture } from '../fixture/store-fixture.ts';

const other: StationAddress = { ...station, name: 'other' };

const records = [
  aRecord('quiet', { alertRulesCount: 1 }),
  aRecord('firing', { state: 'ALERTSTATE_FIRING', alertRulesCount: 2 }),
  aRecord('unknown', { state: 'ALERTSTATE_7', alertRulesCount: 2, alertable: false }),
  aRecord('uncovered'),
  aRecord('both', { state: 'ALERTSTATE_PENDING' }),
  aRecord('unalertable', { alertable: false }),
];

const parts = {
  alerting: ['both', 'firing', 'unknown'],
  uncovered: ['both', 'uncovered'],
  all: records.map(({ resourceId }) => resourceId).sort(),
} as const;
const names = Object.keys(parts) as (keyof typeof parts)[];

export function partsContract(fixture: StoreFixture): void {
  beforeEach(async () => {
    await fixture.store.createStation(station);
  });

  it.each(names)('reads %s of several stations, each at its head', async (part) => {
    const { store } = fixture;
    const { head } = await put(store, records);
    await store.createStation(other);
    const empty = (await store.head(other))!;
    const read = await store.readParts([station, { ...station, name: 'gone' }, other], part);
    const found = read.map(({ address, head: at, resources }) => ({
      address,
      at,
      ids: Array.from(resources, ({ resourceId }) => resourceId).sort(),
    }));
    expect(found.toSorted((a, b) => (a.address.name < b.address.name ? 1 : -1))).toEqual([
      { address: station, at: head, ids: parts[part] },
      { address: other, at: empty, ids: [] },
    ]);
    await store.deleteStation(other);
  });

  it.each(names)('feeds %s of a station', async (part) => {
    const { store } = fixture;
    const { head } = await put(store, records);
    const fed = await collect(await store.feed(station, undefined, part));
    expect([fed.head, [...fed.put.keys()].sort()]).toEqual([head, parts[part]]);
  });

  it('feeds all that changed since a revision, in the part or not', async () => {
    const { store } = fixture;
    const { head } = await put(store, records);
    await put(store, [aRecord('firing', { state: 'ALERTSTATE_INACTIVE' })]);
    expect([...(await collect(await store.feed(station, head, 'alerting'))).put.keys()]).toEqual(['firing']);
  });

  it('reads complete resources', async () => {
    const { store } = fixture;
    await put(store, records);
    const [read] = await store.readParts([station], 'alerting');
    for (const resource of read!.resources) {
      expect(resource).toEqual((await store.resource(station, resource.resourceId)).resource);
    }
  });

  it('reads nothing of no stations', async () => {
    expect(await fixture.store.readParts([], 'all')).toEqual([]);
  });
}
