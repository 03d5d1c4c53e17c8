import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import type { Head } from '../../../port/store.ts';
import { aRecord, put, readAll, station } from '../fixture/contract-data.ts';
import type { StoreFixture, StoreTraits } from '../fixture/store-fixture.ts';

export function visibilityContract(fixture: StoreFixture, { shared = false }: StoreTraits): void {
  beforeEach(async () => {
    await fixture.store.createStation(station);
  });

  it('calls the hook after the commit and before the head moves unless it is shared, and resolves after it', async () => {
    const { store } = fixture;
    const before = await store.head(station);
    const order: string[] = [];
    let told: Head | undefined;
    store.onBeforeVisible(async (address, head) => {
      expect(address).toEqual(station);
      told = head;
      const { head: readHead, put: resources } = await readAll(store, before);
      expect(readHead).toEqual(head);
      expect([...resources.keys()]).toEqual(['a']);
      await sleep(20);
      expect(await store.head(station)).toEqual(shared ? head : before);
      order.push('hook ended');
    });
    const { head } = await put(store, [aRecord('a')]);
    order.push('write resolved');
    expect(order).toEqual(['hook ended', 'write resolved']);
    expect(told).toEqual(head);
    expect(await store.head(station)).toEqual(head);
  });

  it('tells of a head that has moved when it can be read', async () => {
    const { store } = fixture;
    const moved: [number | undefined, boolean][] = [];
    const isRead = async (number: number | undefined) => (await store.head(station))?.number === number;
    const checks: Promise<unknown>[] = [];
    store.onHeadMoved((address, head) => {
      if (address.name !== station.name) return;
      checks.push(isRead(head?.number).then((isVisible) => moved.push([head?.number, isVisible])));
    });
    // Each check must be answered before the next write.
    for (const write of [
      () => put(store, [aRecord('a')]),
      () => put(store, [aRecord('a')]),
      () => store.removeResource(station, 'a'),
      () => store.deleteStation(station),
    ]) {
      await write();
      await Promise.all(checks);
    }
    expect(moved).toEqual([
      [1, true],
      [2, true],
      [undefined, true],
    ]);
    store.onHeadMoved(() => undefined);
  });

  it('tells the hook of stations that are created and deleted', async () => {
    const { store } = fixture;
    const other = { ...station, name: 'other' };
    const told: (number | undefined)[] = [];
    store.onBeforeVisible(async (_, head) => {
      told.push(head?.number);
    });
    await store.createStation(other);
    await store.createStation(other);
    await store.deleteStation(other);
    await store.deleteStation(other);
    expect(told).toEqual([0, undefined]);
  });

  it('tells the hook of revisions in commit order, one at a time for each station, and of shared commits once', async () => {
    const { store } = fixture;
    const told: number[] = [];
    let running = 0;
    store.onBeforeVisible(async (_, head) => {
      expect(++running).toBe(1);
      await sleep(Math.random() * 3);
      told.push(head!.number);
      running--;
    });
    await Promise.all(Array.from({ length: 10 }, (_, index) => put(store, [aRecord(`vm-${index}`)])));
    expect(told).toEqual([...new Set(told)].sort((a, b) => a - b));
    expect(told.at(-1)).toBe(10);
  });

  it('does not tell the hook of a batch that changed nothing, which still waits for what it saw', async () => {
    const { store } = fixture;
    let calls = 0;
    store.onBeforeVisible(async () => {
      calls++;
      await sleep(20);
    });
    const [first, second] = await Promise.all([
      put(store, [aRecord('a')]),
      put(store, [aRecord('a')]).then(async (result) => ({ ...result, visible: await store.head(station) })),
    ]);
    expect(calls).toBe(1);
    expect(first.created + second.created).toBe(1);
    expect(second.visible).toEqual(second.head);
  });

  it('makes a write visible even when the hook fails', async () => {
    const { store } = fixture;
    store.onBeforeVisible(() => Promise.reject(new Error('the hook failed')));
    const { head } = await put(store, [aRecord('a')]);
    expect(await store.head(station)).toEqual(head);
  });

  it('lets a slow hook hold up its own station only', async () => {
    const { store } = fixture;
    const other = { ...station, name: 'other' };
    await store.createStation(other);
    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    store.onBeforeVisible((address) => (address.name === station.name ? held : Promise.resolve()));
    const waiting = put(store, [aRecord('a')]);
    expect((await put(store, [aRecord('a')], { address: other })).created).toBe(1);
    if (!shared) expect((await store.head(station))?.number).toBe(0);
    release!();
    expect((await waiting).created).toBe(1);
  });
}
