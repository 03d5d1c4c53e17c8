import { setTimeout as sleep } from 'node:timers/promises';
import type { RosterError } from '@roster/contract';
import type { Head, Store } from '@roster/engine';
import { expect, it } from 'vitest';
import { aBatch, countResources, put, station } from '../../testing/station-data.ts';
import { useServer } from '../testing/use-server.ts';

const fixture = useServer();

interface Outcomes {
  readonly acknowledged: string[];
  readonly failed: string[];
  readonly unknown: string[];
}

/** Writes one resource after the other and notes what became of each. */
async function writeUntil(store: Store, prefix: string, isOver: () => boolean): Promise<Outcomes> {
  const outcomes: Outcomes = { acknowledged: [], failed: [], unknown: [] };
  for (let round = 0; !isOver(); round++) {
    const id = `${prefix}-${round}`;
    try {
      await put(store, aBatch(1, id));
      outcomes.acknowledged.push(`${id}-0`);
    } catch (error) {
      const { code, extensions } = error as RosterError;
      expect(code).toBe('store_unavailable');
      (extensions?.outcome === 'unknown' ? outcomes.unknown : outcomes.failed).push(`${id}-0`);
      await sleep(5);
    }
  }
  return outcomes;
}

async function idsOf(store: Store): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const part of (await store.feed(station)).chunks) {
    for (const { resourceId } of part.put) ids.add(resourceId);
  }
  return ids;
}

async function expectOutcomes(store: Store, all: readonly Outcomes[]): Promise<void> {
  const ids = await idsOf(store);
  for (const { acknowledged, failed } of all) {
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
    expect(failed.filter((id) => ids.has(id))).toEqual([]);
  }
  const { changes } = await store.history(station, { limit: 100_000 });
  expect(changes.map(({ revision }) => revision)).toEqual(changes.map((_, index) => index + 1));
  expect((await store.head(station))?.number).toBe(changes.length);
}

async function openStation(): Promise<{ url: string; store: Store }> {
  const url = await fixture.server.createDatabase();
  const store = await fixture.open({ url });
  await store.createStation(station);
  return { url, store };
}

it('keeps what was acknowledged and nothing that failed while connections are cut', async () => {
  const { url, store } = await openStation();
  const other = await fixture.open({ url });
  let cuts = 0;
  const isOver = () => cuts >= 40;
  const writing = Promise.all(
    [store, other, store, other].map((node, at) => writeUntil(node, `vm${at}`, isOver)),
  );
  for (; !isOver(); cuts++) {
    await fixture.server.cutConnections('random() < 0.5');
    await sleep(60);
  }
  const all = await writing;
  expect(all.flatMap(({ acknowledged }) => acknowledged)).not.toHaveLength(0);
  await expectOutcomes(other, all);
  await expectOutcomes(store, all);
});

it('answers questions and reads while connections are cut', async () => {
  const { store } = await openStation();
  const { head } = await put(store, aBatch(10));
  for (let round = 0; round < 25; round++) {
    await fixture.server.cutConnections();
    expect(await store.head(station)).toEqual(head);
    expect((await store.resource(station, 'vm-1')).revision.number).toBe(1);
    expect((await store.stations({ offset: 0, limit: 1 })).total).toBe(1);
  }
});

it('fails a feed whose connection is cut, and serves the next', async () => {
  const { store } = await openStation();
  await put(store, aBatch(20_000));
  const feed = await store.feed(station);
  const read = async () => {
    for await (const _ of feed.chunks) await fixture.server.cutConnections();
  };
  await expect(read()).rejects.toMatchObject({ code: 'store_unavailable' });
  expect(await countResources(store)).toBe(20_000);
});

it('fails a batch whose connection is cut, and takes the next', async () => {
  const { store } = await openStation();
  const batch = await store.openBatch(station);
  await batch.add(aBatch(5_000));
  await fixture.server.cutConnections();
  await expect(batch.commit()).rejects.toMatchObject({ code: 'store_unavailable' });
  await batch.discard();
  expect((await put(store, aBatch(5_000))).created).toBe(5_000);
});

it('keeps a batch that the database refuses apart from the next', async () => {
  const url = await fixture.server.createDatabase();
  const store = await fixture.open({ url, connections: 4 });
  await store.createStation(station);
  const [record] = aBatch(1);
  const refused = await store.openBatch(station);
  await refused.add([
    ...aBatch(3_000, 'refused'),
    { ...record!, record: { ...record!.record, name: 'a\0b' } },
  ]);
  await expect(refused.commit()).rejects.toMatchObject({ code: 'store_unavailable' });
  await refused.discard();
  expect((await put(store, aBatch(5))).created).toBe(5);
  expect(await countResources(store)).toBe(5);
});

it('misses nothing when the connection that listens is cut', async () => {
  const { url, store } = await openStation();
  const other = await fixture.open({ url });
  await other.head(station);
  let told: Head | undefined;
  other.onBeforeVisible(async (_, head) => {
    told = head;
  });
  for (let round = 0; round < 20; round++) {
    await fixture.server.cutConnections("query LIKE '%LISTEN%' OR query LIKE '%pg_notify%'");
    const { head } = await put(store, aBatch(1, `vm-${round}`));
    expect(await other.head(station)).toEqual(head);
  }
  const last = await store.head(station);
  for (let waited = 0; told?.revId !== last!.revId && waited < 100; waited++) await sleep(100);
  expect(told).toEqual(last);
});

it.each(['SIGINT', 'SIGQUIT'] as const)('goes on after the server was restarted by %s', async (signal) => {
  const { store } = await openStation();
  const { epoch } = (await store.head(station))!;
  let isOver = false;
  const writing = writeUntil(store, 'vm', () => isOver);
  await sleep(300);
  await fixture.server.stop(signal);
  await expect(store.head(station)).rejects.toMatchObject({ code: 'store_unavailable' });
  await fixture.server.start();
  await sleep(500);
  isOver = true;
  const outcomes = await writing;
  expect((await store.head(station))?.epoch).toBe(epoch);
  await expectOutcomes(store, [outcomes]);
  expect(await put(store, aBatch(1, 'after'))).toMatchObject({ created: 1 });
});

it('closes while a batch is about to get its connection', async () => {
  const { store } = await openStation();
  const batch = await store.openBatch(station);
  await fixture.server.cutConnections();
  const added = batch.add(aBatch(5_000));
  const failed = expect(added).rejects.toMatchObject({ code: 'store_unavailable' });
  await store.close();
  await failed;
  await batch.discard();
});
