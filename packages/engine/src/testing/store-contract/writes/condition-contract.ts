import { formatRevision } from '@roster/contract';
import { beforeEach, expect, it } from 'vitest';
import type { Head } from '../../../port/store.ts';
import { aRecord, put, readAll, stage, station } from '../fixture/contract-data.ts';
import type { StoreFixture } from '../fixture/store-fixture.ts';

export function conditionContract(fixture: StoreFixture): void {
  let head: Head;

  beforeEach(async () => {
    await fixture.store.createStation(station);
    head = (await put(fixture.store, [aRecord('a')])).head;
  });

  const mismatch = (current: Head) => ({
    code: 'revision_mismatch',
    message: expect.stringContaining(formatRevision(current)),
    extensions: { revision: formatRevision(current) },
  });

  it('writes while the station is at the revision that the condition names', async () => {
    const { store } = fixture;
    const batch = await put(store, [aRecord('b')], { ifRevision: head });
    expect(batch.head.number).toBe(2);
    const removal = await store.removeResource(station, 'b', { ifRevision: batch.head });
    expect(removal.head.number).toBe(3);
    expect(await store.deleteStation(station, { ifRevision: removal.head })).toBe(true);
  });

  it('writes nothing at any other revision', async () => {
    const { store } = fixture;
    const others = [
      { ...head, number: head.number - 1 },
      { ...head, number: head.number + 1 },
      { ...head, epoch: 'another' },
    ];
    for (const ifRevision of others) {
      await expect(store.openBatch(station, { ifRevision })).rejects.toMatchObject(mismatch(head));
      const removal = store.removeResource(station, 'a', { ifRevision });
      await expect(removal).rejects.toMatchObject(mismatch(head));
      await expect(store.deleteStation(station, { ifRevision })).rejects.toMatchObject(mismatch(head));
    }
    expect(await store.head(station)).toEqual(head);
    expect((await readAll(store)).put.size).toBe(1);
  });

  it('checks a batch again when it is planned and committed', async () => {
    const { store } = fixture;
    const batch = await stage(store, [aRecord('b')], { ifRevision: head });
    const { head: current } = await put(store, [aRecord('c')]);
    await expect(batch.plan(10)).rejects.toMatchObject(mismatch(current));
    await expect(batch.commit()).rejects.toMatchObject(mismatch(current));
    expect(await store.head(station)).toEqual(current);
  });

  it('lets one of several writers at the same revision through', async () => {
    const { store } = fixture;
    const ids = ['b', 'c', 'd', 'e'];
    const batches = await Promise.all(ids.map((id) => stage(store, [aRecord(id)], { ifRevision: head })));
    const results = await Promise.allSettled(batches.map((batch) => batch.commit()));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await store.head(station))?.number).toBe(head.number + 1);
  });

  it('tells of the revision before it tells of faults', async () => {
    const { store } = fixture;
    const batch = await stage(store, [aRecord('b'), aRecord('b')], { ifRevision: head });
    await expect(batch.plan(10)).rejects.toMatchObject({ code: 'invalid_records' });
    const { head: current } = await put(store, [aRecord('c')]);
    await expect(batch.plan(10)).rejects.toMatchObject(mismatch(current));
    await expect(batch.commit()).rejects.toMatchObject(mismatch(current));
  });

  it('applies to a batch that would change nothing', async () => {
    const { store } = fixture;
    const batch = await stage(store, [aRecord('a')], { ifRevision: head });
    const { head: current } = await put(store, [aRecord('c')]);
    await expect(batch.commit()).rejects.toMatchObject(mismatch(current));
  });

  it('finds no station and no resource as without a condition', async () => {
    const { store } = fixture;
    const missing = store.removeResource(station, 'missing', { ifRevision: head });
    await expect(missing).rejects.toMatchObject({ code: 'resource_not_found' });
    const other = { ...station, name: 'other' };
    expect(await store.deleteStation(other, { ifRevision: head })).toBe(false);
    const opened = store.openBatch(other, { ifRevision: head });
    await expect(opened).rejects.toMatchObject({ code: 'station_not_found' });
  });
}
