import type { RosterError } from '@roster/contract';
import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { scale } from '../../../../../../testing/scale.ts';
import type { BatchPlan, PlannedChange, Store } from '../../../port/store.ts';
import { anyWrites, applyWrite, type BatchWrite, isSame, type Model } from '../fixture/any-write.ts';
import { aRecord, manyRecords, put, readAll, stage, station } from '../fixture/contract-data.ts';
import type { StoreFixture } from '../fixture/store-fixture.ts';

const large = scale(5_000, 20_000);

export function planContract(fixture: StoreFixture): void {
  beforeEach(async () => {
    await fixture.store.createStation(station);
  });

  it('tells what a commit would do, and does nothing', async () => {
    const { store } = fixture;
    const { head } = await put(store, [aRecord('a'), aRecord('b', { sku: 'old' }), aRecord('c')]);
    const { put: stored } = await readAll(store);
    const times = { createTime: '2026-01-31T08:00:00.000Z', stateSinceMs: Date.UTC(2026, 1, 1) };
    const records = [aRecord('b', { sku: 'new' }), aRecord('c'), aRecord('d', times)];
    const batch = await stage(store, records, { mode: 'replace' });
    const plan = await batch.plan(10);
    const d = {
      ...stored.get('c'),
      resourceId: 'd',
      name: 'name of d',
      displayName: 'name of d',
      ...times,
    };
    expect(plan).toEqual({
      head,
      created: 1,
      updated: 1,
      unchanged: 1,
      removed: 1,
      newTypes: [],
      changes: [
        { line: 1, before: stored.get('b'), after: { ...stored.get('b'), sku: 'new' } },
        { line: 3, before: undefined, after: d },
        { line: undefined, before: stored.get('a'), after: undefined },
      ],
      refusal: undefined,
    });
    expect(await store.head(station)).toEqual(head);
    expect((await readAll(store)).put).toEqual(stored);
    expect(await batch.plan(10)).toEqual(plan);
    expect(await batch.commit()).toMatchObject({ created: 1, updated: 1, unchanged: 1, removed: 1 });
  });

  it('shows as many changes as asked for, records in their order and then removals by id', async () => {
    const { store } = fixture;
    await put(store, manyRecords(20));
    const records = [aRecord('z'), aRecord('vm-3', { sku: 'new' }), aRecord('y')];
    const batch = await stage(store, records, { mode: 'replace', allowRemoval: 'all' });
    const ids = async (maxChanges: number) => {
      const { changes, created, updated, removed } = await batch.plan(maxChanges);
      expect({ created, updated, removed }).toEqual({ created: 2, updated: 1, removed: 19 });
      return changes.map(({ before, after }) => (after ?? before)!.resourceId);
    };
    expect(await ids(0)).toEqual([]);
    expect(await ids(2)).toEqual(['z', 'vm-3']);
    expect(await ids(3)).toEqual(['z', 'vm-3', 'y']);
    expect(await ids(6)).toEqual(['z', 'vm-3', 'y', 'vm-0', 'vm-1', 'vm-10']);
    expect(await ids(1000)).toHaveLength(22);
    await batch.discard();
  });

  it('sees the station as it is when it is asked', async () => {
    const { store } = fixture;
    const batch = await stage(store, [aRecord('a', { sku: 'new' })]);
    expect(await batch.plan(1)).toMatchObject({ created: 1, updated: 0, head: { number: 0 } });
    await put(store, [aRecord('a')]);
    expect(await batch.plan(1)).toMatchObject({ created: 0, updated: 1, head: { number: 1 } });
    await batch.add([{ line: 2, record: aRecord('b') }]);
    expect(await batch.plan(1)).toMatchObject({ created: 1, updated: 1 });
    await batch.discard();
  });

  it('shows the time of the plan as that of a new resource that comes without one', async () => {
    const { store } = fixture;
    const before = new Date().toISOString();
    const batch = await stage(store, [aRecord('a')]);
    const { changes } = await batch.plan(1);
    const { createTime } = changes[0]!.after!;
    expect(createTime >= before && createTime <= new Date().toISOString()).toBe(true);
    await batch.discard();
  });

  it('tells of a refusal instead of throwing it', async () => {
    const { store } = fixture;
    await put(store, manyRecords(30));
    const batch = await stage(store, [], { mode: 'replace', allowRemoval: 29 });
    const { refusal, removed } = await batch.plan(0);
    expect(removed).toBe(30);
    const thrown = (await batch.commit().catch((error: unknown) => error)) as RosterError;
    expect(refusal).toMatchObject({ code: 'removal_refused', message: thrown.message });
    expect(refusal?.extensions).toEqual(thrown.extensions);
  });

  it('names the types that the catalog would get', async () => {
    const { store } = fixture;
    const typeKeys = ['resource_type.plan.b', 'resource_type.plan.a', 'resource_type.plan.b'];
    const records = typeKeys.map((typeKey, index) => aRecord(`vm-${index}`, { typeKey }));
    const batch = await stage(store, records);
    const newTypes = ['resource_type.plan.a', 'resource_type.plan.b'];
    expect((await batch.plan(0)).newTypes).toEqual(newTypes);
    expect((await store.catalog()).types.has('resource_type.plan.a')).toBe(false);
    expect((await batch.commit()).newTypes).toEqual(newTypes);
    expect((await put(store, [aRecord('x', { typeKey: newTypes[0]! })])).newTypes).toEqual([]);
  });

  it('finds no station once it is gone', async () => {
    const { store } = fixture;
    const batch = await stage(store, [aRecord('a')]);
    await store.deleteStation(station);
    await expect(batch.plan(1)).rejects.toMatchObject({ code: 'station_not_found' });
    await batch.discard();
  });

  it(`plans an unchanged batch of ${large} records in a moment`, async () => {
    const { store } = fixture;
    await put(store, manyRecords(large));
    const batch = await stage(store, manyRecords(large), { mode: 'replace' });
    await batch.plan(0);
    const takenMs = async () => {
      const begun = performance.now();
      expect(await batch.plan(100)).toMatchObject({ unchanged: large, changes: [] });
      return performance.now() - begun;
    };
    // Once is enough: the machine may have interrupted the others.
    await expect.poll(takenMs).toBeLessThan(2_000);
    await batch.discard();
  });

  it('agrees with what the commit then does, for any batch in any station', async () => {
    await fc.assert(
      fc.asyncProperty(anyWrites, async (writes) => {
        const { store } = fixture;
        await store.deleteStation(station);
        await store.createStation(station);
        let model: Model = new Map();
        for (const write of writes) {
          const plan = 'remove' in write ? undefined : await planOf(store, write);
          const before = model;
          model = await applyWrite(store, before, write);
          if (plan) await expectPlanToTell(plan, before, model);
        }
      }),
      { numRuns: scale(10, 40) },
    );
  });
}

type PlanOrError = BatchPlan | RosterError;

async function planOf(store: Store, { mode, records }: BatchWrite): Promise<PlanOrError> {
  const batch = await stage(store, records, { mode, allowRemoval: 'all' });
  try {
    return await batch.plan(100).catch((error: RosterError) => error);
  } finally {
    await batch.discard();
  }
}

async function expectPlanToTell(plan: PlanOrError, before: Model, after: Model): Promise<void> {
  if (plan instanceof Error) {
    expect(plan.code).toBe('invalid_records');
    expect(after).toBe(before);
    return;
  }
  expect(plan.created + plan.updated + plan.removed).toBe(plan.changes.length);
  const reached = new Map(before);
  for (const change of plan.changes) {
    const { resourceId } = (change.after ?? change.before)!;
    expect(change.before).toEqual(before.get(resourceId));
    if (change.after) reached.set(resourceId, change.after);
    else reached.delete(resourceId);
    expect(isReal(change)).toBe(true);
  }
  expect(reached).toEqual(after);
}

function isReal({ before, after }: PlannedChange): boolean {
  return before === undefined || after === undefined || !isSame(before, after);
}
