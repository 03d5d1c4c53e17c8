import { limits, type ResourceRecord } from '@roster/contract';
import { beforeEach, expect, it } from 'vitest';
import { scale } from '../../../../../../testing/scale.ts';
import {
  aRecord,
  manyRecords,
  onLines,
  put,
  readAll,
  readOne,
  replace,
  stage,
  station,
} from '../fixture/contract-data.ts';
import type { StoreFixture } from '../fixture/store-fixture.ts';

export function replaceContract(fixture: StoreFixture): void {
  beforeEach(async () => {
    await fixture.store.createStation(station);
  });

  it('removes what the batch does not name, in the same revision', async () => {
    const { store } = fixture;
    const { head } = await put(store, [aRecord('a'), aRecord('b'), aRecord('c')]);
    const result = await replace(store, [aRecord('b'), aRecord('c', { sku: 'new' }), aRecord('d')]);
    expect(result).toMatchObject({ head: { number: 2 }, created: 1, updated: 1, unchanged: 1, removed: 1 });
    const changed = await readAll(store, head);
    expect([...changed.put.keys()].sort()).toEqual(['c', 'd']);
    expect(changed.removed).toEqual(new Set(['a']));
    expect([...(await readAll(store)).put.keys()].sort()).toEqual(['b', 'c', 'd']);
  });

  it('keeps the stored value of each field that a record leaves out', async () => {
    const { store } = fixture;
    const fields = { state: 'ALERTSTATE_FIRING', sku: 'large', alertRulesCount: 3 };
    await put(store, [aRecord('a', fields), aRecord('b')]);
    await replace(store, [aRecord('a', { gpuModel: 'H100' })]);
    expect(await readOne(store, 'a')).toMatchObject({ ...fields, gpuModel: 'H100' });
  });

  it('makes no revision when nothing changes', async () => {
    const { store } = fixture;
    const { head } = await put(store, [aRecord('a'), aRecord('b')]);
    expect(await replace(store, [aRecord('b'), aRecord('a')])).toMatchObject({
      head,
      unchanged: 2,
      removed: 0,
    });
    await store.deleteStation(station);
    const created = await store.createStation(station);
    expect(await replace(store, [])).toMatchObject({ head: created.head, removed: 0 });
  });

  it('empties a station when the batch names nothing', async () => {
    const { store } = fixture;
    await put(store, manyRecords(30));
    expect(await replace(store, [])).toMatchObject({ head: { number: 2 }, removed: 30 });
    expect((await readAll(store)).put.size).toBe(0);
  });

  it('removes what others wrote after it was opened', async () => {
    const { store } = fixture;
    const batch = await store.openBatch(station, { mode: 'replace', allowRemoval: 'all' });
    await put(store, [aRecord('a'), aRecord('b'), aRecord('c')]);
    await batch.add(onLines([aRecord('d'), aRecord('e')]));
    expect(await batch.commit()).toMatchObject({ created: 2, unchanged: 0, removed: 3 });
    expect([...(await readAll(store)).put.keys()].sort()).toEqual(['d', 'e']);
  });

  it('gives names of resources that go to others', async () => {
    const { store } = fixture;
    await put(store, [aRecord('a', { name: 'one' }), aRecord('b', { name: 'two' }), aRecord('c')]);
    const records = [aRecord('b', { name: 'one' }), aRecord('new', { name: 'two' })];
    const batch = await stage(store, records, { mode: 'replace', allowRemoval: 'all' });
    expect(await batch.validate()).toEqual({ errors: [], total: 0 });
    expect(await batch.commit()).toMatchObject({ created: 1, updated: 1, removed: 2 });
    const names = [...(await readAll(store)).put.values()].map(({ resourceId, name }) => [resourceId, name]);
    expect(Object.fromEntries(names)).toEqual({ b: 'one', new: 'two' });
  });

  it('reports ids and names that come twice, and writes nothing then', async () => {
    const { store } = fixture;
    const { head } = await put(store, [aRecord('a'), aRecord('b')]);
    const records = [aRecord('c', { name: 'same' }), aRecord('d', { name: 'same' }), aRecord('c')];
    await expect(replace(store, records)).rejects.toMatchObject({
      code: 'invalid_records',
      extensions: {
        fault_count: 2,
        faults: [
          { line: 2, field: 'name' },
          { line: 3, field: 'resource_id' },
        ],
      },
    });
    expect(await store.head(station)).toEqual(head);
    expect((await readAll(store)).put.size).toBe(2);
  });

  it('replaces many by many', async () => {
    const { store } = fixture;
    const part = scale(300, 1_000);
    await put(store, manyRecords(15 * part));
    const records = [...manyRecords(15 * part).slice(12 * part), ...manyNew(12 * part)];
    const result = await replace(store, records);
    expect(result).toMatchObject({ created: 12 * part, unchanged: 3 * part, removed: 12 * part });
    expect((await readAll(store)).put.size).toBe(15 * part);
  });

  it('refuses to remove more than half of a station that is not small, unless it may', async () => {
    const { store } = fixture;
    const size = limits.guardedStationSize + 2;
    const { head } = await put(store, manyRecords(size));
    const few = manyRecords(size / 2 - 1);
    const refused = put(store, few, { mode: 'replace' });
    await expect(refused).rejects.toMatchObject({
      code: 'removal_refused',
      extensions: { removed: size / 2 + 1, resources: size },
    });
    expect(await store.head(station)).toEqual(head);
    expect((await readAll(store)).put.size).toBe(size);
    await expect(put(store, few, { mode: 'replace', allowRemoval: size / 2 })).rejects.toMatchObject({
      code: 'removal_refused',
    });
    const allowed = await put(store, few, { mode: 'replace', allowRemoval: size / 2 + 1 });
    expect(allowed.removed).toBe(size / 2 + 1);
  });

  it('lets half of a station go, and of a small one all but the last', async () => {
    const { store } = fixture;
    await put(store, manyRecords(limits.guardedStationSize + 2));
    const half = manyRecords(limits.guardedStationSize / 2 + 1);
    expect((await put(store, half, { mode: 'replace' })).removed).toBe(half.length);
    expect((await put(store, manyRecords(1), { mode: 'replace' })).removed).toBe(half.length - 1);
    const refused = put(store, [], { mode: 'replace' });
    await expect(refused).rejects.toMatchObject({ code: 'removal_refused' });
    expect((await put(store, [], { mode: 'replace', allowRemoval: 'all' })).removed).toBe(1);
  });

  it('reports faults rather than what it may not remove, as a plan does', async () => {
    const { store } = fixture;
    const { head } = await put(store, manyRecords(10));
    const records = [aRecord('c', { name: 'same' }), aRecord('d', { name: 'same' })];
    const batch = await stage(store, records, { mode: 'replace', allowRemoval: 0 });
    const faults = { code: 'invalid_records', extensions: { fault_count: 1 } };
    await expect(batch.plan(10)).rejects.toMatchObject(faults);
    await expect(batch.commit()).rejects.toMatchObject(faults);
    expect(await store.head(station)).toEqual(head);
  });

  it('guards by the station as it is at the commit', async () => {
    const { store } = fixture;
    await put(store, manyRecords(10));
    const batch = await stage(store, manyRecords(10), { mode: 'replace' });
    await put(store, manyNew(50));
    await expect(batch.commit()).rejects.toMatchObject({ code: 'removal_refused' });
  });
}

function manyNew(count: number): ResourceRecord[] {
  return Array.from({ length: count }, (_, index) => aRecord(`new-${index}`));
}
