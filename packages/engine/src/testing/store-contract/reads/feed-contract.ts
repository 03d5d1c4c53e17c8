import { type Resource, renderResourceTail } from '@roster/contract';
import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { scale } from '../../../../../../testing/scale.ts';
import { Digest } from '../../../port/digest.ts';
import { aRecord, collect, manyRecords, put, readAll, replace, station } from '../fixture/contract-data.ts';
import type { StoreFixture } from '../fixture/store-fixture.ts';

const awkwardCharacters = [
  'a',
  'Z',
  '"',
  '\\',
  '\n',
  '\r',
  '\t',
  '\x01',
  '\x1f',
  '\x7f',
  'ä',
  '节',
  '\u2028',
  '\ue000',
  '\uffff',
  '😀',
];

export function feedContract(fixture: StoreFixture): void {
  beforeEach(async () => {
    await fixture.store.createStation(station);
  });

  it('feeds the whole station with the head it was read at', async () => {
    const { store } = fixture;
    const { head } = await put(store, manyRecords(10));
    const all = await readAll(store);
    expect(all.head).toEqual(head);
    expect([...all.put.keys()].sort()).toEqual(
      manyRecords(10)
        .map(({ resourceId }) => resourceId)
        .sort(),
    );
    expect(all.removed.size).toBe(0);
  });

  it('feeds complete resources that were put after a revision, and nothing else', async () => {
    const { store } = fixture;
    const { head: first } = await put(store, [aRecord('a', { sku: 'kept' }), aRecord('b')]);
    const { head: second } = await put(store, [
      aRecord('a', { gpuModel: 'H100' }),
      aRecord('b'),
      aRecord('c'),
    ]);
    const changed = await readAll(store, first);
    expect(changed.head).toEqual(second);
    expect([...changed.put.keys()].sort()).toEqual(['a', 'c']);
    expect(changed.put.get('a')).toMatchObject({ sku: 'kept', gpuModel: 'H100' });
    expect(await readAll(store, second)).toEqual({ head: second, put: new Map(), removed: new Set() });
  });

  it('feeds all revisions after one, from the beginning of the station too', async () => {
    const { store } = fixture;
    const begin = (await store.head(station))!;
    for (let index = 0; index < 30; index++) await put(store, [aRecord(`vm-${index}`)]);
    expect((await readAll(store, begin)).put.size).toBe(30);
  });

  it('feeds every resource once when revisions of all sizes follow each other', async () => {
    const { store } = fixture;
    const heads = [(await store.head(station))!];
    const sizes = scale([1, 1_999, 2_000, 2, 1], [1, 2_500, 1, 1, 1_999, 2_000, 2_001, 3, 4_100, 1]);
    let next = 0;
    for (const size of sizes) {
      const records = Array.from({ length: size }, () => aRecord(`vm-${next++}`));
      heads.push((await put(store, records)).head);
    }
    for (const [index, head] of heads.entries()) {
      const expected = sizes.slice(index).reduce((sum, size) => sum + size, 0);
      expect((await readAll(store, head)).put.size, `since revision ${index}`).toBe(expected);
    }
    expect((await readAll(store)).put.size).toBe(next);
  });

  it('feeds removals after a revision', async () => {
    const { store } = fixture;
    const { head: first } = await put(store, [aRecord('a'), aRecord('b'), aRecord('c')]);
    await store.removeResource(station, 'a');
    const { head: second } = await store.removeResource(station, 'b');
    expect(await readAll(store, first)).toEqual({
      head: second,
      put: new Map(),
      removed: new Set(['a', 'b']),
    });
    expect((await readAll(store, second)).removed.size).toBe(0);
    expect([...(await readAll(store)).put.keys()]).toEqual(['c']);
  });

  it('feeds a resource that was removed and created again as put, not as removed', async () => {
    const { store } = fixture;
    const { head } = await put(store, [aRecord('a', { sku: 'old' }), aRecord('b')]);
    await store.removeResource(station, 'a');
    const { created } = await put(store, [aRecord('a'), aRecord('c')]);
    expect(created).toBe(2);
    const changed = await readAll(store, head);
    expect([...changed.put.keys()].sort()).toEqual(['a', 'c']);
    expect(changed.put.get('a')?.sku).toBe('');
    expect(changed.removed.has('a')).toBe(false);
  });

  it('feeds a resource that came and went after the revision as removed at most', async () => {
    const { store } = fixture;
    const { head } = await put(store, [aRecord('a')]);
    await put(store, [aRecord('short-lived')]);
    await store.removeResource(station, 'short-lived');
    expect((await readAll(store, head)).put.size).toBe(0);
  });

  it('feeds a resource that was removed twice as removed once', async () => {
    const { store } = fixture;
    const { head } = await put(store, [aRecord('a'), aRecord('b')]);
    await store.removeResource(station, 'a');
    await put(store, [aRecord('a')]);
    await store.removeResource(station, 'a');
    expect((await readAll(store, head)).removed).toEqual(new Set(['a']));
  });

  it('feeds many removals, of many revisions and of one', async () => {
    const { store } = fixture;
    const many = scale(5_000, 25_000);
    const { head } = await put(store, manyRecords(300));
    await Promise.all(manyRecords(300).map(({ resourceId }) => store.removeResource(station, resourceId)));
    expect((await readAll(store, head)).removed.size).toBe(300);
    const { head: full } = await put(store, manyRecords(many));
    await replace(store, [aRecord('vm-7')]);
    expect((await readAll(store, full)).removed.size).toBe(many - 1);
  });

  it('expires a revision that is not part of the history', async () => {
    const { store } = fixture;
    const { head } = await put(store, [aRecord('a')]);
    const strangers = [
      { ...head, revId: '0123456789abcdef' },
      { ...head, epoch: 'another' },
      { ...head, number: head.number + 1 },
      { ...head, number: 0 },
    ];
    for (const since of strangers) {
      await expect(store.feed(station, since)).rejects.toMatchObject({ code: 'revision_expired' });
    }
  });

  it('feeds one state of the station while writes go on', async () => {
    const { store } = fixture;
    const states = ['ALERTSTATE_A', 'ALERTSTATE_B', 'ALERTSTATE_C'];
    const { head } = await put(store, manyRecords(7_000, { state: 'ALERTSTATE_INACTIVE' }));
    const feed = await store.feed(station);
    const seen = new Set<string>();
    let count = 0;
    for await (const part of feed.chunks) {
      for (const resource of part.put) seen.add(resource.state);
      count += part.put.length;
      const state = states.pop();
      if (state) await put(store, manyRecords(7_000, { state }));
      if (state) await store.removeResource(station, `vm-${6_000 + states.length}`);
    }
    expect(feed).toMatchObject({ head, size: 7_000 });
    expect([...seen]).toEqual(['ALERTSTATE_INACTIVE']);
    expect(count).toBe(7_000);
    expect(states).toEqual([]);
  });

  it('tells how much to expect, also of a write that is about to become visible', async () => {
    const { store } = fixture;
    const expected: number[] = [];
    store.onBeforeVisible(async (address) => {
      const feed = await store.feed(address);
      expected.push(feed.size);
      await feed.chunks[Symbol.asyncIterator]().return?.();
    });
    await put(store, manyRecords(300));
    await put(store, [aRecord('one more')]);
    await store.removeResource(station, 'vm-7');
    expect(expected).toEqual([300, 301, 300]);
  });

  it('serves several feeds at once', async () => {
    const { store } = fixture;
    await put(store, manyRecords(5_000));
    const feeds = await Promise.all(Array.from({ length: 8 }, () => store.feed(station)));
    const sizes = await Promise.all(feeds.map(async (feed) => (await collect(feed)).put.size));
    expect(sizes).toEqual(Array(8).fill(5_000));
  });

  it('lets go of feeds that are left early', async () => {
    const { store } = fixture;
    await put(store, manyRecords(5_000));
    for (let round = 0; round < 50; round++) {
      const feed = await store.feed(station);
      for await (const part of feed.chunks) {
        expect(part.put.length).toBeGreaterThan(0);
        break;
      }
    }
    const unread = await store.feed(station);
    await unread.chunks[Symbol.asyncIterator]().return?.();
    expect((await put(store, [aRecord('after')])).created).toBe(1);
    expect((await readAll(store)).put.size).toBe(5_001);
  });

  it('renders resources as the engine does, whatever their texts', async () => {
    const { store } = fixture;
    const text = fc
      .array(fc.constantFrom(...awkwardCharacters), { maxLength: 4 })
      .map((each) => each.join(''));
    const anyRecord = fc.record({
      displayName: text,
      sku: text,
      gpuModel: text,
      product: text,
      typeKey: fc.constantFrom('resource_type.a', 'resource_type."b"'),
      state: fc.constantFrom('ALERTSTATE_INACTIVE', 'ALERTSTATE_FIRING'),
      alertable: fc.boolean(),
      alertRulesCount: fc.constantFrom(0, 1, 999),
    });
    const fields = fc.sample(anyRecord, { numRuns: 600, seed: 600 });
    const records = fields.map((each, at) =>
      aRecord(`${each.displayName} ${at}`, { ...each, name: `${each.sku} ${at}` }),
    );
    for (const from of [0, 10, 11, 12, 300]) await put(store, records.slice(from, from + 300));
    const fed = new Map<string, Resource>();
    for await (const { put: packed } of (await store.feed(station)).chunks) {
      const rendered = [...packed.rendered()];
      for (const [at, resource] of [...packed].entries()) {
        const { ids, displayNames } = packed.columns;
        expect([ids[at], displayNames[at]]).toEqual([resource.resourceId, resource.displayName]);
        expect(rendered[at]!.tail).toBe(renderResourceTail(resource));
        expect(rendered[at]!.kind.state).toBe(resource.state);
        expect(rendered[at]!.kind.hasRules).toBe(resource.alertRulesCount > 0);
        fed.set(resource.resourceId, resource);
      }
    }
    expect(fed.size).toBe(records.length);
    for (const record of records) expect(fed.get(record.resourceId)).toMatchObject(record);
  });

  it('digests the same as its feed', async () => {
    const { store } = fixture;
    expect((await store.digest(station)).digest).toBe(new Digest().toString());
    await put(store, manyRecords(5_000, { product: 'product.gpu', alertable: false }));
    await store.removeResource(station, 'vm-7');
    const all = await readAll(store);
    const digest = new Digest();
    for (const resource of all.put.values()) digest.add(resource);
    expect(await store.digest(station)).toEqual({ head: all.head, digest: digest.toString() });
  });
}
