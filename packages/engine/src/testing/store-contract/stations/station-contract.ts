import { expect, it } from 'vitest';
import { aRecord, put, readAll, stage, station } from '../fixture/contract-data.ts';
import type { StoreFixture } from '../fixture/store-fixture.ts';

export function stationContract(fixture: StoreFixture): void {
  it('knows no station before one is created', async () => {
    const { store } = fixture;
    expect(await store.head(station)).toBeUndefined();
    expect(await store.station(station)).toBeUndefined();
    await expect(store.openBatch(station)).rejects.toMatchObject({ code: 'station_not_found' });
    await expect(store.feed(station)).rejects.toMatchObject({ code: 'station_not_found' });
    await expect(store.digest(station)).rejects.toMatchObject({ code: 'station_not_found' });
    await expect(store.resource(station, 'x')).rejects.toMatchObject({ code: 'station_not_found' });
    const since = { epoch: 'epoch', number: 0 };
    const history = store.history(station, { since, limit: 1 });
    await expect(history).rejects.toMatchObject({ code: 'station_not_found' });
    await expect(store.removeResource(station, 'x')).rejects.toMatchObject({ code: 'station_not_found' });
    expect(await store.deleteStation(station)).toBe(false);
  });

  it('begins a new station at revision 0', async () => {
    const { store } = fixture;
    const { created, head } = await store.createStation(station);
    expect(created).toBe(true);
    expect(head).toEqual({
      epoch: expect.stringMatching(/^[a-z0-9]{1,32}$/),
      number: 0,
      revId: expect.stringMatching(/^[0-9a-f]{16,}$/),
    });
    expect(await store.head(station)).toEqual(head);
    expect((await readAll(store)).put.size).toBe(0);
  });

  it('leaves a station alone that is created again', async () => {
    const { store } = fixture;
    await store.createStation(station);
    const { head } = await put(store, [aRecord('a')]);
    expect(await store.createStation(station)).toEqual({ created: false, head });
    expect((await readAll(store)).put.size).toBe(1);
  });

  it('tells apart stations that differ in one name only', async () => {
    const { store } = fixture;
    const addresses = [
      station,
      { ...station, subscription: 'other' },
      { ...station, resourceGroup: 'other' },
      { ...station, zone: 'other' },
      { ...station, name: 'other' },
      { ...station, name: 'Station' },
    ];
    for (const address of addresses) expect((await store.createStation(address)).created).toBe(true);
    await put(store, [aRecord('a')]);
    for (const address of addresses.slice(1)) {
      expect((await readAll(store, undefined, address)).put.size).toBe(0);
      expect((await store.head(address))?.number).toBe(0);
    }
  });

  it('lets two stations have resources of the same id and name', async () => {
    const { store } = fixture;
    const other = { ...station, name: 'other' };
    await store.createStation(station);
    await store.createStation(other);
    await put(store, [aRecord('a', { sku: 'one' })]);
    await put(store, [aRecord('a', { sku: 'two' })], { address: other });
    await store.removeResource(station, 'a');
    expect((await readAll(store, undefined, other)).put.get('a')?.sku).toBe('two');
  });

  it('deletes a station with all it holds', async () => {
    const { store } = fixture;
    await store.createStation(station);
    await put(store, [aRecord('a')]);
    expect(await store.deleteStation(station)).toBe(true);
    expect(await store.head(station)).toBeUndefined();
    await expect(store.feed(station)).rejects.toMatchObject({ code: 'station_not_found' });
    expect(await store.deleteStation(station)).toBe(false);
  });

  it('gives a station that was deleted and created again a new epoch and nothing of the old one', async () => {
    const { store } = fixture;
    const first = await store.createStation(station);
    await put(store, [aRecord('a')]);
    await store.deleteStation(station);
    const second = await store.createStation(station);
    expect(second.created).toBe(true);
    expect(second.head.number).toBe(0);
    expect(second.head.epoch).not.toBe(first.head.epoch);
    expect((await readAll(store)).put.size).toBe(0);
    await expect(store.feed(station, first.head)).rejects.toMatchObject({ code: 'revision_expired' });
  });

  it('refuses to commit a batch into a station that was deleted meanwhile', async () => {
    const { store } = fixture;
    await store.createStation(station);
    const batch = await stage(store, [aRecord('a')]);
    await store.deleteStation(station);
    await store.createStation(station);
    await expect(batch.commit()).rejects.toMatchObject({ code: 'station_not_found' });
    expect((await readAll(store)).put.size).toBe(0);
  });
}
