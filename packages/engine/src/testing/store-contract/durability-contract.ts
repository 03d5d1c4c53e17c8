import { beforeEach, expect, it } from 'vitest';
import { allStations, aRecord, manyRecords, put, readAll, stage, station } from './fixture/contract-data.ts';
import type { StoreFixture } from './fixture/store-fixture.ts';

export function durabilityContract(fixture: StoreFixture): void {
  beforeEach(async () => {
    await fixture.store.createStation(station);
  });

  it('has everything again after it was closed and opened', async () => {
    const { store } = fixture;
    const { head: first } = await put(store, [
      aRecord('a', { typeLabel: 'Virtual machine', sku: '🦄' }),
      aRecord('b'),
    ]);
    await store.removeResource(station, 'b');
    const head = await store.head(station);
    const catalog = await store.catalog();
    const all = await readAll(store);
    const digest = await store.digest(station);
    const stations = await allStations(store);

    const reopened = await fixture.reopen();
    expect(await reopened.head(station)).toEqual(head);
    expect(stations).toMatchObject([{ address: station, counts: { resources: 1 } }]);
    expect(await allStations(reopened)).toEqual(stations);
    expect(await reopened.catalog()).toEqual(catalog);
    expect(await readAll(reopened)).toEqual(all);
    expect(await reopened.digest(station)).toEqual(digest);
    expect((await readAll(reopened, first)).removed).toEqual(new Set(['b']));
    expect((await put(reopened, [aRecord('c')])).head).toMatchObject({ epoch: head!.epoch, number: 3 });
  });

  it('has no deleted station again', async () => {
    await fixture.store.deleteStation(station);
    expect(await (await fixture.reopen()).head(station)).toBeUndefined();
  });

  it('waits for writes under way when it is closed', async () => {
    const { store } = fixture;
    const batch = await stage(store, manyRecords(3_000));
    const committed = batch.commit();
    const closed = store.close();
    expect((await committed).created).toBe(3_000);
    await closed;
    expect((await readAll(await fixture.reopen())).put.size).toBe(3_000);
  });

  it('forgets batches that were open when it was closed', async () => {
    const batch = await stage(fixture.store, [aRecord('a')]);
    const reopened = await fixture.reopen();
    await expect(batch.commit()).rejects.toMatchObject({ code: 'store_unavailable' });
    expect((await readAll(reopened)).put.size).toBe(0);
  });

  it('fails every call after it was closed', async () => {
    const { store } = fixture;
    await store.close();
    await store.close();
    const unavailable = { code: 'store_unavailable' };
    await expect(store.createStation(station)).rejects.toMatchObject(unavailable);
    await expect(store.openBatch(station)).rejects.toMatchObject(unavailable);
    await expect(store.feed(station)).rejects.toMatchObject(unavailable);
    await expect(store.digest(station)).rejects.toMatchObject(unavailable);
    await expect(store.resource(station, 'a')).rejects.toMatchObject(unavailable);
    const since = { epoch: 'epoch', number: 0 };
    await expect(store.history(station, { since, limit: 1 })).rejects.toMatchObject(unavailable);
    await expect(store.deleteType('resource_type.a')).rejects.toMatchObject(unavailable);
    await expect(store.removeResource(station, 'a')).rejects.toMatchObject(unavailable);
    await expect(store.compactHistory(0)).rejects.toMatchObject(unavailable);
  });
}
