import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import { scale } from '../../../../../../testing/scale.ts';
import type { Change, Head, HistoryQuery, Store } from '../../../port/store.ts';
import { aRecord, manyRecords, put, readOne, replace, station } from '../fixture/contract-data.ts';
import type { StoreFixture } from '../fixture/store-fixture.ts';

/** All changes since a position, read in pages. */
export async function readHistory(store: Store, query: HistoryQuery): Promise<Change[]> {
  const changes: Change[] = [];
  for (let since = query.since; ; ) {
    const page = await store.history(station, { ...query, since });
    expect(page.changes.length).toBeLessThanOrEqual(query.limit);
    if (page.next.within !== undefined) expect(page.next.within).toMatch(/^[a-z0-9-]+$/);
    changes.push(...page.changes);
    since = page.next;
    if (!page.hasMore) {
      const { epoch, number } = (await store.head(station))!;
      expect(since).toEqual({ epoch, number });
      return changes;
    }
    expect(page.changes.length).toBe(query.limit);
  }
}

export function historyContract(fixture: StoreFixture): void {
  let begin: Head;

  beforeEach(async () => {
    begin = (await fixture.store.createStation(station)).head;
  });

  it('tells of every change with what was before and after it', async () => {
    const { store } = fixture;
    const earliest = Date.now();
    await put(store, [aRecord('a')]);
    const created = await readOne(store, 'a');
    await put(store, [aRecord('a', { sku: 'new' })]);
    const updated = await readOne(store, 'a');
    await store.removeResource(station, 'a');
    const { changes, next, hasMore } = await store.history(station, { since: begin, limit: 10 });
    const changedAtMs = expect.any(Number);
    const made = { changedAtMs, changedBy: undefined };
    expect(changes).toEqual([
      { revision: 1, ...made, before: undefined, after: created },
      { revision: 2, ...made, before: created, after: updated },
      { revision: 3, ...made, before: updated, after: undefined },
    ]);
    expect({ next, hasMore }).toEqual({ next: { epoch: begin.epoch, number: 3 }, hasMore: false });
    const times = changes.map((change) => change.changedAtMs);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times[0]).toBeGreaterThanOrEqual(earliest);
    expect(times[2]).toBeLessThanOrEqual(Date.now());
  });

  it('tells who made each revision, small or large, alone or with others', async () => {
    const { store } = fixture;
    const byId = async () =>
      (await readHistory(store, { since: begin, limit: 1000 })).map(({ changedBy, before, after }) => [
        (after ?? before)!.resourceId,
        changedBy,
      ]);
    const writers = ['ada', 'source:prom, "east"', "o'neil (tok_1)", '王', undefined];
    await put(store, [aRecord('large')], { mode: 'replace', changedBy: 'nightly' });
    await Promise.all(writers.map((changedBy, at) => put(store, [aRecord(`small-${at}`)], { changedBy })));
    await store.removeResource(station, 'small-0', { changedBy: 'bob' });
    expect((await byId()).sort()).toEqual(
      [
        ['large', 'nightly'],
        ...writers.map((changedBy, at) => [`small-${at}`, changedBy]),
        ['small-0', 'bob'],
      ].sort(),
    );
    expect((await store.resource(station, 'small-1')).changedBy).toBe(writers[1]);
    expect((await store.resource(station, 'small-4')).changedBy).toBeUndefined();
  });

  it('begins with the first revision at or after a time', async () => {
    const { store } = fixture;
    await put(store, [aRecord('a')]);
    await delay(5);
    await put(store, [aRecord('b')]);
    const { changes: all } = await store.history(station, { limit: 10 });
    const from = async (fromMs: number, since?: Head) => {
      const { changes } = await store.history(station, { since, fromMs, limit: 10 });
      return changes.map(({ revision }) => revision);
    };
    expect(await from(0)).toEqual([1, 2]);
    expect(await from(all[0]!.changedAtMs)).toEqual([1, 2]);
    expect(await from(all[1]!.changedAtMs)).toEqual([2]);
    expect(await from(all[1]!.changedAtMs + 1)).toEqual([]);
    expect(await from(all[1]!.changedAtMs + 1, begin)).toEqual([1, 2]);
  });

  it('begins after the revision that is asked for, and is empty at the head', async () => {
    const { store } = fixture;
    const { head: first } = await put(store, [aRecord('a')]);
    const { head: second } = await put(store, [aRecord('b')]);
    const { changes } = await store.history(station, { since: first, limit: 10 });
    expect(changes.map(({ revision }) => revision)).toEqual([2]);
    const { epoch, number } = second;
    const atHead = await store.history(station, { since: { epoch, number }, limit: 10 });
    expect(atHead).toMatchObject({ changes: [], next: { epoch, number }, hasMore: false });
  });

  it('begins with the oldest change that is known when no revision is asked for', async () => {
    const { store } = fixture;
    await put(store, [aRecord('a')]);
    await put(store, [aRecord('a', { sku: 'new' })]);
    const read = async () => {
      const { from, changes } = await store.history(station, { limit: 10 });
      return { from, revisions: changes.map(({ revision }) => revision) };
    };
    expect(await read()).toEqual({
      from: { revision: 0, changedAtMs: expect.any(Number) },
      revisions: [1, 2],
    });
    const { changedAtMs } = await store.resource(station, 'a');
    const from = { revision: 2, changedAtMs };
    await store.compactHistory(-1000);
    expect(await read()).toEqual({ from, revisions: [] });
    await store.removeResource(station, 'a');
    expect(await read()).toEqual({ from, revisions: [3] });
    expect((await store.history(station, { resourceId: 'none', limit: 10 })).from).toEqual(from);
    expect(await store.history(station, { limit: 0 })).toMatchObject({ changes: [], hasMore: true });
  });

  it('goes on with what was written after the last page', async () => {
    const { store } = fixture;
    await put(store, [aRecord('a')]);
    const { next } = await store.history(station, { since: begin, limit: 10 });
    await put(store, [aRecord('b')]);
    const { changes } = await store.history(station, { since: next, limit: 10 });
    expect(changes).toMatchObject([{ revision: 2, after: { resourceId: 'b' } }]);
  });

  it('pages through large revisions, each change once', async () => {
    const { store } = fixture;
    await put(store, manyRecords(2_500));
    await put(store, manyRecords(2_500, { sku: 'new' }));
    await replace(store, manyRecords(500, { sku: 'new' }));
    for (const limit of scale([1000], [333, 500, 1000])) {
      const changes = await readHistory(store, { since: begin, limit });
      const counts = [1, 2, 3].map(
        (revision) => changes.filter((change) => change.revision === revision).length,
      );
      expect(counts).toEqual([2_500, 2_500, 2_000]);
      const ids = changes.map(
        ({ revision, before, after }) => `${revision} ${(after ?? before)!.resourceId}`,
      );
      expect(new Set(ids).size).toBe(7_000);
    }
  });

  it('tells of one resource only when asked to', async () => {
    const { store } = fixture;
    await put(store, [aRecord('a'), aRecord('b')]);
    await put(store, [aRecord('b', { sku: 'new' })]);
    await put(store, [aRecord('a', { sku: 'new' })]);
    await store.removeResource(station, 'a');
    await put(store, [aRecord('a', { sku: 'again' }), aRecord('c')]);
    await put(store, [aRecord('c', { sku: 'new' })]);
    const skus = ({ revision, before, after }: Change) => [revision, before?.sku, after?.sku];
    for (const limit of [1, 2, 3, 10]) {
      const changes = await readHistory(store, { since: begin, resourceId: 'a', limit });
      expect(changes.map(skus)).toEqual([
        [1, undefined, ''],
        [3, '', 'new'],
        [4, 'new', undefined],
        [5, undefined, 'again'],
      ]);
    }
    const since = { epoch: begin.epoch, number: 3 };
    const late = await readHistory(store, { since, resourceId: 'a', limit: 10 });
    expect(late.map(({ revision }) => revision)).toEqual([4, 5]);
    expect(await readHistory(store, { since: begin, resourceId: 'never', limit: 10 })).toEqual([]);
  });

  it('keeps the names that resources had while names change hands', async () => {
    const { store } = fixture;
    await put(store, [aRecord('a', { name: 'one' }), aRecord('b', { name: 'two' })]);
    const { head } = await put(store, [aRecord('a', { name: 'two' }), aRecord('b', { name: 'one' })]);
    const since = { epoch: head.epoch, number: 1 };
    const names = (await readHistory(store, { since, limit: 10 })).map(({ before, after }) => [
      before?.name,
      after?.name,
    ]);
    expect(names.sort()).toEqual([
      ['one', 'two'],
      ['two', 'one'],
    ]);
  });

  it('expires what is not part of the history', async () => {
    const { store } = fixture;
    const { head } = await put(store, [aRecord('a')]);
    const strangers = [
      { epoch: 'another', number: 0 },
      { epoch: head.epoch, number: 2 },
      { epoch: head.epoch, number: Number.MAX_SAFE_INTEGER },
    ];
    for (const since of strangers) {
      for (const resourceId of [undefined, 'a']) {
        const history = store.history(station, { since, resourceId, limit: 10 });
        await expect(history).rejects.toMatchObject({ code: 'revision_expired' });
      }
    }
    await store.deleteStation(station);
    await store.createStation(station);
    const history = store.history(station, { since: begin, limit: 10 });
    await expect(history).rejects.toMatchObject({ code: 'revision_expired' });
  });

  it('refuses a position within a revision that no page gave', async () => {
    const { store } = fixture;
    await put(store, [aRecord('a')]);
    for (const within of ['', 'x', '1', '1-2-3', '-1', `1' OR 1=1`, '9'.repeat(40)]) {
      const history = store.history(station, { since: { ...begin, within }, limit: 10 });
      await expect(history, within).rejects.toMatchObject({ code: 'invalid_parameter', parameter: 'since' });
    }
  });
}
