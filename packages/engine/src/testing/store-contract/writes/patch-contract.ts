import type { ResourcePatch } from '@roster/contract';
import { beforeEach, expect, it } from 'vitest';
import type { Batch, Store } from '../../../port/store.ts';
import { aRecord, manyRecords, put, readAll, readOne, station } from '../fixture/contract-data.ts';
import type { StoreFixture } from '../fixture/store-fixture.ts';

async function stagePatch(store: Store, records: readonly ResourcePatch[]): Promise<Batch> {
  const batch = await store.openBatch(station, { mode: 'patch' });
  await batch.add(records.map((record, at) => ({ line: at + 1, record })));
  return batch;
}

/** More than any store writes without staging. */
const many = 1500;

export function patchContract(fixture: StoreFixture): void {
  beforeEach(async () => {
    await fixture.store.createStation(station);
  });

  it('changes the given fields and no others', async () => {
    const { store } = fixture;
    await put(store, [aRecord('a', { sku: 'large' }), aRecord('b')]);
    const before = await readOne(store, 'a');
    const batch = await stagePatch(store, [{ resourceId: 'a', state: 'ALERTSTATE_FIRING', stateSinceMs: 7 }]);
    expect(await batch.commit()).toMatchObject({ created: 0, updated: 1, unchanged: 0, head: { number: 2 } });
    expect(await readOne(store, 'a')).toEqual({ ...before, state: 'ALERTSTATE_FIRING', stateSinceMs: 7 });
    const again = await stagePatch(store, [{ resourceId: 'a', state: 'ALERTSTATE_FIRING' }]);
    expect(await again.commit()).toMatchObject({ updated: 0, unchanged: 1, head: { number: 2 } });
  });

  it.each([2, many])('takes no name from a resource that it does not rename, among %i', async (count) => {
    const { store } = fixture;
    await put(store, manyRecords(count));
    const [first, second, ...rest] = manyRecords(count).map(({ resourceId }) => ({ resourceId, sku: 'new' }));
    const name = aRecord(second!.resourceId).name;
    const batch = await stagePatch(store, [{ ...first!, name }, second!, ...rest]);
    const expected = [{ line: 1, field: 'name', reason: expect.stringContaining(second!.resourceId) }];
    await expect(batch.commit()).rejects.toMatchObject({
      code: 'invalid_records',
      extensions: { fault_count: 1, faults: expected },
    });
    const swap = await stagePatch(store, [
      { ...first!, name },
      { ...second!, name: aRecord(first!.resourceId).name },
      ...rest,
    ]);
    expect(await swap.commit()).toMatchObject({ updated: count });
    expect((await readOne(store, first!.resourceId))!.name).toBe(name);
  });

  it.each([1, many])('changes %i resources', async (count) => {
    const { store } = fixture;
    await put(store, manyRecords(count));
    const records = manyRecords(count).map(({ resourceId }) => ({ resourceId, alertRulesCount: 3 }));
    const planned = await stagePatch(store, records);
    expect(await planned.plan(0)).toMatchObject({ created: 0, updated: count });
    expect(await planned.commit()).toMatchObject({ created: 0, updated: count });
    const { put: all } = await readAll(store);
    expect([...all.values()].every(({ alertRulesCount }) => alertRulesCount === 3)).toBe(true);
    expect(all.get('vm-0')).toMatchObject(aRecord('vm-0'));
  });

  it.each([0, 1, many])('creates nothing in a station of %i: an unknown id is an error', async (count) => {
    const { store } = fixture;
    if (count > 0) await put(store, manyRecords(count));
    const head = await store.head(station);
    const known = manyRecords(count).map(({ resourceId }) => ({ resourceId, sku: 'new' }));
    const records = [...known, { resourceId: 'unknown', state: 'ALERTSTATE_FIRING' }];
    const expected = [{ line: count + 1, field: 'resource_id', reason: expect.stringContaining('unknown') }];
    const batch = await stagePatch(store, records);
    expect(await batch.validate()).toEqual({ errors: expected, total: 1 });
    await expect(batch.plan(10)).rejects.toMatchObject({ code: 'invalid_records' });
    await expect(batch.commit()).rejects.toMatchObject({
      code: 'invalid_records',
      extensions: { fault_count: 1, faults: expected },
    });
    const direct = await stagePatch(store, records);
    await expect(direct.commit()).rejects.toMatchObject({ extensions: { faults: expected } });
    expect(await store.head(station)).toEqual(head);
  });

  it('can rename, and finds a name that is taken', async () => {
    const { store } = fixture;
    await put(store, [aRecord('a', { name: 'one' }), aRecord('b', { name: 'two' }), aRecord('c')]);
    const swap = await stagePatch(store, [
      { resourceId: 'a', name: 'two' },
      { resourceId: 'b', name: 'one' },
      { resourceId: 'c', sku: 'new' },
    ]);
    expect(await swap.commit()).toMatchObject({ updated: 3 });
    const taken = await stagePatch(store, [{ resourceId: 'c', name: 'two' }]);
    await expect(taken.commit()).rejects.toMatchObject({ extensions: { faults: [{ field: 'name' }] } });
  });
}
