import type { StationAddress } from '@roster/contract';
import { beforeEach, expect, it } from 'vitest';
import type { Store } from '../../port/store.ts';
import { aRecord, put, readAll, stage, station } from './fixture/contract-data.ts';
import type { StoreFixture } from './fixture/store-fixture.ts';

const damaged = { code: 'data_damaged' };
const other: StationAddress = { ...station, name: 'other' };
/** The id of `station`, which is made before `other`. */
const ofFirst = '(SELECT min(id) FROM stations)';

/** What is not what was written is never shown, nor written on. */
export function damageContract(fixture: StoreFixture): void {
  beforeEach(async () => {
    const { store } = fixture;
    for (const address of [station, other]) {
      await store.createStation(address);
      await put(store, [aRecord('a'), aRecord('b', { sku: 'before' })], { address });
    }
  });

  it('shows nothing of a station with a damaged resource, and all of the others', async () => {
    const { store } = fixture;
    await fixture.damage({
      table: 'resources',
      set: "display_name = 'damaged'",
      where: `resource_id = 'b' AND station_id = ${ofFirst}`,
    });
    await expect(sizeOf(store, station)).rejects.toMatchObject(damaged);
    await expect(store.digest(station)).rejects.toMatchObject(damaged);
    await expect(store.resource(station, 'b')).rejects.toMatchObject(damaged);
    await expect(store.history(station, { limit: 10 })).rejects.toMatchObject(damaged);
    expect(await sizeOf(store, other)).toBe(2);
  });

  it.each(['alert_rules_count = 4711', "state = 'ALERTSTATE_FIRING'", "name = 'x'", 'revision = 0'])(
    'notices %s',
    async (set) => {
      await fixture.damage({
        table: 'resources',
        set,
        where: `resource_id = 'b' AND station_id = ${ofFirst}`,
      });
      await expect(sizeOf(fixture.store, station)).rejects.toMatchObject(damaged);
    },
  );

  it('neither changes nor removes a damaged resource, which would cover up the damage', async () => {
    const { store } = fixture;
    await fixture.damage({
      table: 'resources',
      set: "sku = 'damaged'",
      where: `resource_id = 'b' AND station_id = ${ofFirst}`,
    });
    const change = aRecord('b', { gpuModel: 'new' });
    await expect(put(store, [change])).rejects.toMatchObject(damaged);
    await expect((await stage(store, [change])).plan(10)).rejects.toMatchObject(damaged);
    await expect(store.removeResource(station, 'b')).rejects.toMatchObject(damaged);
    await put(store, [aRecord('c')]);
    await expect(sizeOf(store, station)).rejects.toMatchObject(damaged);
  });

  it('shows a station again that was deleted and written anew', async () => {
    const { store } = fixture;
    await fixture.damage({ table: 'resources', set: "sku = 'damaged'", where: `station_id = ${ofFirst}` });
    expect(await store.deleteStation(station)).toBe(true);
    await store.createStation(station);
    await put(store, [aRecord('a')]);
    expect(await sizeOf(store, station)).toBe(1);
  });

  it.each(["sku = 'damaged'", 'id = id + 1000'])(
    'shows the resources of a station with a history of %s, and not the history',
    async (set) => {
      const { store } = fixture;
      await put(store, [aRecord('b', { sku: 'after' })]);
      await fixture.damage({ table: 'past_versions', set, where: `station_id = ${ofFirst}` });
      expect(await sizeOf(store, station)).toBe(2);
      await expect(store.history(station, { limit: 10 })).rejects.toMatchObject(damaged);
      const ofResource = store.history(station, { resourceId: 'b', limit: 10 });
      await expect(ofResource).rejects.toMatchObject(damaged);
    },
  );

  it.each(["epoch = 'damaged'", "rev_id = 'damaged'", 'revision = 0', 'oldest_revision = 1'])(
    'does not follow a station with a damaged %s',
    async (set) => {
      await fixture.damage({ table: 'stations', set, where: `id = ${ofFirst}` });
      const store = await fixture.reopen();
      await expect(sizeOf(store, station)).rejects.toMatchObject(damaged);
      await expect(put(store, [aRecord('c')])).rejects.toMatchObject(damaged);
      await expect((async () => store.stations({ offset: 0, limit: 10 }))()).rejects.toMatchObject(damaged);
      expect(await sizeOf(store, other)).toBe(2);
      expect(await store.deleteStation(station)).toBe(true);
      expect((await store.stations({ offset: 0, limit: 10 })).total).toBe(1);
    },
  );
}

/** Nothing but a new store is rid of a damaged type. */
export function damagedTypeContract(fixture: StoreFixture): void {
  it('does not know a damaged type, and says that it may be missing', async () => {
    const { store } = fixture;
    await store.createStation(station);
    await put(store, [aRecord('a')]);
    const [key] = (await store.catalog()).types.keys();
    expect((await store.catalog()).isDamaged).toBe(false);
    await fixture.damage({ table: 'resource_types', set: "product = 'damaged'", where: `key = '${key}'` });
    const { types, isDamaged } = await (await fixture.reopen()).catalog();
    expect([types.has(key!), isDamaged]).toEqual([false, true]);
  });
}

/** As a list does it: first where the station is, then what it has. */
async function sizeOf(store: Store, address: StationAddress): Promise<number> {
  await store.head(address);
  return (await readAll(store, undefined, address)).put.size;
}
