import type { Resource, ResourceRecord, StationAddress } from '@roster/contract';
import { beforeEach, expect, it } from 'vitest';
import type { Batch, Store } from '../../../port/store.ts';
import { aRecord, put, readAll, stage, station } from '../fixture/contract-data.ts';
import type { StoreFixture, StoreTraits } from '../fixture/store-fixture.ts';

const others = ['one', 'two', 'three'].map((name): StationAddress => ({ ...station, name }));

/** The changes of the station, one line each: its revision, and the sku before and after. */
async function historyOf(store: Store): Promise<string[]> {
  const { changes } = await store.history(station, { limit: 1000 });
  return changes.map(({ revision, before, after }) => `${revision}: ${before?.sku} > ${after?.sku}`);
}

function stageAll(store: Store, writes: readonly (readonly ResourceRecord[])[]): Promise<Batch[]> {
  return Promise.all(writes.map((records) => stage(store, records)));
}

/** Small writes that arrive together may share a commit, and none of them notices. */
export function sharedCommitContract(fixture: StoreFixture, { stagesAll = false }: StoreTraits): void {
  beforeEach(async () => {
    await fixture.store.createStation(station);
  });

  it('writes the 63 good ones of 64, each with a revision and a line of history of its own', async () => {
    const { store } = fixture;
    const { head } = await put(store, [aRecord('owner', { name: 'taken' })]);
    const writes = Array.from({ length: 64 }, (_, at) =>
      put(store, [aRecord(`vm-${at}`, at === 31 ? { name: 'taken' } : {})]),
    );
    const settled = await Promise.allSettled(writes);
    expect(settled.flatMap(({ status }, at) => (status === 'rejected' ? at : []))).toEqual([31]);
    expect(settled[31]).toMatchObject({ reason: { code: 'invalid_records' } });
    const numbers = settled.flatMap((each) => (each.status === 'fulfilled' ? each.value.head.number : []));
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 63 }, (_, at) => at + 2));
    const { changes } = await store.history(station, { since: head, limit: 1000 });
    expect(changes.map(({ revision }) => revision)).toEqual(numbers);
    expect((await readAll(store)).put.size).toBe(64);
  });

  it('lets each of several writes to one resource find what the one before has left', async () => {
    const { store } = fixture;
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, at) => put(store, [aRecord('a', { sku: `${at}` })])),
    );
    expect(results.map(({ created, updated }) => created + updated)).toEqual(results.map(() => 1));
    const inOrder = results
      .map(({ head }, at) => ({ number: head.number, sku: `${at}` }))
      .sort((a, b) => a.number - b.number);
    expect(await historyOf(store)).toEqual(
      inOrder.map(({ number, sku }, at) => `${number}: ${inOrder[at - 1]?.sku} > ${sku}`),
    );
  });

  it('creates, changes, removes and creates again what arrives at once', async () => {
    const { store } = fixture;
    const batches = await stageAll(store, [
      [aRecord('a', { sku: '1' })],
      [aRecord('a', { sku: '2' }), aRecord('b')],
      [aRecord('a', { sku: '3' })],
      [aRecord('c')],
    ]);
    const settled = await Promise.allSettled([
      batches[0]!.commit(),
      batches[1]!.commit(),
      store.removeResource(station, 'a'),
      batches[2]!.commit(),
      batches[3]!.commit(),
    ]);
    const numbers = settled.flatMap((each) => (each.status === 'fulfilled' ? each.value.head.number : []));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers.map((_, at) => at + 1));
    const { put: all } = await readAll(store);
    for (const id of ['a', 'b', 'c']) {
      const { changes } = await store.history(station, { resourceId: id, limit: 10 });
      expect(changes.map(({ before }) => before)).toEqual([
        undefined,
        ...changes.slice(0, -1).map(({ after }) => after),
      ]);
      expect(changes.at(-1)?.after).toEqual(all.get(id));
    }
  });

  // What is staged may commit in another order, in which a name is still taken.
  if (!stagesAll) {
    it('lets names change hands between writes that arrive at once', async () => {
      const { store } = fixture;
      await put(store, [aRecord('a', { name: 'one' }), aRecord('b', { name: 'two' })]);
      const batches = await stageAll(store, [
        [aRecord('a', { name: 'two' }), aRecord('b', { name: 'one' })],
        [aRecord('a', { name: 'three' })],
        [aRecord('c', { name: 'two' })],
      ]);
      await Promise.all(batches.map((batch) => batch.commit()));
      const { put: all } = await readAll(store);
      expect([...all.values()].map(({ resourceId, name }) => `${resourceId} ${name}`).sort()).toEqual([
        'a three',
        'b one',
        'c two',
      ]);
    });
  }

  it('keeps stations apart, one of them gone meanwhile', async () => {
    const { store } = fixture;
    for (const address of others) await store.createStation(address);
    const batches = await Promise.all(others.map((address) => stage(store, [aRecord('a')], { address })));
    await store.deleteStation(others[1]!);
    const settled = await Promise.allSettled(batches.map((batch) => batch.commit()));
    expect(settled).toMatchObject([
      { value: { head: { number: 1 } } },
      { reason: { code: 'station_not_found' } },
      { value: { head: { number: 1 } } },
    ]);
  });

  it('adds a new type once', async () => {
    const { store } = fixture;
    const typeKey = 'resource_type.compute.new';
    const results = await Promise.all(
      ['a', 'b', 'c'].map((id) => put(store, [aRecord(id, { typeKey, typeLabel: 'New' })])),
    );
    expect(results.flatMap(({ newTypes }) => newTypes)).toEqual([typeKey]);
    expect((await store.catalog()).types.get(typeKey)?.labels).toEqual({ en: 'New' });
  });

  it('gives the hook changes that lead from the head before to the head it names, where it gives any', async () => {
    const { store } = fixture;
    const copy = new Map<string, Resource>();
    let at = await store.head(station);
    store.onBeforeVisible(async (_, head, { feed }) => {
      if (feed === undefined) {
        for (const [id, resource] of (await readAll(store)).put) copy.set(id, resource);
      } else {
        expect(feed.since).toEqual(at);
        for await (const { put: rows, removed } of feed.chunks) {
          for (const id of removed) copy.delete(id);
          for (const resource of rows) copy.set(resource.resourceId, resource);
        }
        expect(copy.size).toBe(feed.size);
      }
      at = head;
    });
    for (let round = 0; round < 5; round++) {
      const puts = Array.from({ length: 10 }, (_, id) => put(store, [aRecord(`${id}`, { sku: `${round}` })]));
      await Promise.allSettled([...puts, store.removeResource(station, `${round}`)]);
    }
    expect(copy).toEqual((await readAll(store)).put);
    expect(at).toEqual(await store.head(station));
  });
}
