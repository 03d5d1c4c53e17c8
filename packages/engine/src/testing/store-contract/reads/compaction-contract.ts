import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import { scale } from '../../../../../../testing/scale.ts';
import { aRecord, manyRecords, put, readAll, station } from '../fixture/contract-data.ts';
import type { StoreFixture } from '../fixture/store-fixture.ts';

export function compactionContract(fixture: StoreFixture): void {
  beforeEach(async () => {
    await fixture.store.createStation(station);
  });

  it('expires feeds from before a removal that was compacted away', async () => {
    const { store } = fixture;
    const { head: before } = await put(store, [aRecord('a'), aRecord('b')]);
    const { head: after } = await store.removeResource(station, 'a');
    await sleep(5);
    await store.compactHistory(0);
    await expect(store.feed(station, before)).rejects.toMatchObject({ code: 'revision_expired' });
    expect((await readAll(store, after)).removed.size).toBe(0);
    expect([...(await readAll(store)).put.keys()]).toEqual(['b']);
    expect(await store.head(station)).toEqual(after);
  });

  it('keeps removals that are younger', async () => {
    const { store } = fixture;
    const { head } = await put(store, [aRecord('a')]);
    await store.removeResource(station, 'a');
    await store.compactHistory(60_000);
    expect((await readAll(store, head)).removed).toEqual(new Set(['a']));
  });

  it('goes on with revisions and feeds afterwards', async () => {
    const { store } = fixture;
    await put(store, [aRecord('a')]);
    await sleep(5);
    await store.compactHistory(0);
    const head = (await store.head(station))!;
    expect((await put(store, [aRecord('b')])).head.number).toBe(head.number + 1);
    await store.removeResource(station, 'a');
    const changed = await readAll(store, head);
    expect([...changed.put.keys()]).toEqual(['b']);
    expect(changed.removed).toEqual(new Set(['a']));
  });

  it('expires histories from before what it forgets, and keeps those from there on', async () => {
    const { store } = fixture;
    const begin = (await store.head(station))!;
    const { head: first } = await put(store, [aRecord('a'), aRecord('b')]);
    const { head: second } = await put(store, [aRecord('a', { sku: 'new' })]);
    await sleep(5);
    await store.compactHistory(0);
    await put(store, [aRecord('a', { sku: 'newer' })]);
    await store.removeResource(station, 'b');
    for (const since of [begin, first]) {
      for (const resourceId of [undefined, 'a']) {
        const history = store.history(station, { since, resourceId, limit: 10 });
        await expect(history).rejects.toMatchObject({ code: 'revision_expired' });
      }
    }
    const { changes } = await store.history(station, { since: second, limit: 10 });
    expect(changes).toMatchObject([
      { revision: 3, before: { sku: 'new' }, after: { sku: 'newer' } },
      { revision: 4, before: { resourceId: 'b' }, after: undefined },
    ]);
  });

  it('keeps the time of the last change of every resource', async () => {
    const { store } = fixture;
    for (const id of ['a', 'b', 'c']) await put(store, [aRecord(id)]);
    const before = await Promise.all(['a', 'b', 'c'].map((id) => store.resource(station, id)));
    await put(store, [aRecord('b', { sku: 'new' })]);
    for (let round = 0; round < 3; round++) {
      await sleep(5);
      await store.compactHistory(0);
      expect(await store.resource(station, 'a')).toEqual(before[0]);
      expect(await store.resource(station, 'c')).toEqual(before[2]);
      expect((await store.resource(station, 'b')).revision.number).toBe(4);
    }
  });

  it('forgets a large history', async () => {
    const { store } = fixture;
    const size = scale(3_000, 9_000);
    const begin = (await store.head(station))!;
    for (const sku of ['a', 'b', 'c', 'd']) await put(store, manyRecords(size, { sku }));
    const head = (await store.head(station))!;
    await sleep(5);
    await store.compactHistory(0);
    const { epoch, number } = head;
    for (let since = begin.number; since < number; since++) {
      const history = store.history(station, { since: { epoch, number: since }, limit: 10 });
      await expect(history).rejects.toMatchObject({ code: 'revision_expired' });
    }
    expect((await store.history(station, { since: head, limit: 10 })).changes).toEqual([]);
    expect((await readAll(store)).put.size).toBe(size);
    expect((await store.station(station))?.counts.resources).toBe(size);
  });
}
