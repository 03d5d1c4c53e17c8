import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import { aRecord, put, readAll, station } from './contract-data.ts';
import type { StoreFixture } from './store-fixture.ts';

export function compactionContract(fixture: StoreFixture): void {
  beforeEach(async () => {
    await fixture.store.createStation(station);
  });

  it('expires feeds from before a removal that was compacted away', async () => {
    const { store } = fixture;
    const { head: before } = await put(store, [aRecord('a'), aRecord('b')]);
    const { head: after } = await store.removeResource(station, 'a');
    await sleep(5);
    await store.compact(0);
    await expect(store.changes(station, before)).rejects.toMatchObject({ code: 'revision_expired' });
    expect((await readAll(store, after)).removed.size).toBe(0);
    expect([...(await readAll(store)).put.keys()]).toEqual(['b']);
    expect(await store.head(station)).toEqual(after);
  });

  it('keeps removals that are younger', async () => {
    const { store } = fixture;
    const { head } = await put(store, [aRecord('a')]);
    await store.removeResource(station, 'a');
    await store.compact(60_000);
    expect((await readAll(store, head)).removed).toEqual(new Set(['a']));
  });

  it('goes on with revisions and feeds afterwards', async () => {
    const { store } = fixture;
    await put(store, [aRecord('a')]);
    await sleep(5);
    await store.compact(0);
    const head = (await store.head(station))!;
    expect((await put(store, [aRecord('b')])).head.number).toBe(head.number + 1);
    await store.removeResource(station, 'a');
    const changed = await readAll(store, head);
    expect([...changed.put.keys()]).toEqual(['b']);
    expect(changed.removed).toEqual(new Set(['a']));
  });
}
