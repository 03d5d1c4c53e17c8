import { type Resource, type ResourceRecord, resourceDefaults } from '@roster/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Head, Store } from '../store.ts';
import { put, readAll, station } from './contract-data.ts';
import type { StoreFixture } from './store-fixture.ts';

type Model = ReadonlyMap<string, Resource>;
type Write = { readonly put: readonly ResourceRecord[] } | { readonly remove: string };

const few = (prefix: string) => fc.integer({ min: 0, max: 5 }).map((number) => `${prefix}${number}`);

const aWrite: fc.Arbitrary<Write> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .array(
        fc.record(
          {
            resourceId: few('id'),
            name: few('name'),
            typeKey: fc.constantFrom('resource_type.a', 'resource_type.b'),
            displayName: few('shown'),
            sku: fc.constantFrom('', 'large'),
            alertable: fc.boolean(),
            alertRulesCount: fc.nat(2),
            createTime: fc.constant('2026-01-31T08:00:00.000Z'),
          },
          { requiredKeys: ['resourceId', 'name', 'typeKey', 'createTime'] },
        ),
        { minLength: 1, maxLength: 5 },
      )
      .map((records) => ({ put: records })),
  },
  { weight: 1, arbitrary: few('id').map((remove) => ({ remove })) },
);

/** The state after a batch, or undefined when the batch must be refused. */
function expectPut(before: Model, records: readonly ResourceRecord[]): Model | undefined {
  const after = new Map(before);
  for (const { typeLabel: _, ...record } of records) {
    const fresh = { ...resourceDefaults, displayName: record.name, createTime: '' };
    after.set(record.resourceId, { ...fresh, ...before.get(record.resourceId), ...record });
  }
  const ids = new Set(records.map(({ resourceId }) => resourceId));
  const names = new Set([...after.values()].map(({ name }) => name));
  return ids.size === records.length && names.size === after.size ? after : undefined;
}

async function applyPut(store: Store, before: Model, records: readonly ResourceRecord[]): Promise<Model> {
  const after = expectPut(before, records);
  if (!after) {
    await expect(put(store, records)).rejects.toMatchObject({ code: 'invalid_records' });
    return before;
  }
  const { created, updated, unchanged } = await put(store, records);
  const same = [...before].filter(([id, resource]) => isSame(after.get(id), resource)).length;
  const absent = before.size - records.filter(({ resourceId }) => before.has(resourceId)).length;
  expect({ created, updated, unchanged }).toEqual({
    created: after.size - before.size,
    updated: before.size - same,
    unchanged: same - absent,
  });
  return after;
}

async function applyRemoval(store: Store, before: Model, resourceId: string): Promise<Model> {
  const removal = store.removeResource(station, resourceId);
  if (!before.has(resourceId)) {
    await expect(removal).rejects.toMatchObject({ code: 'resource_not_found' });
    return before;
  }
  await removal;
  return new Map([...before].filter(([id]) => id !== resourceId));
}

function isSame(left: Resource | undefined, right: Resource): boolean {
  return (
    left !== undefined && Object.entries(right).every(([key, value]) => left[key as keyof Resource] === value)
  );
}

async function expectFeedToLead(store: Store, from: { head: Head; model: Model }, to: Model): Promise<void> {
  const { put: changed, removed } = await readAll(store, from.head);
  const reached = new Map(from.model);
  for (const resourceId of removed) reached.delete(resourceId);
  for (const [resourceId, resource] of changed) reached.set(resourceId, resource);
  expect(reached).toEqual(to);
}

export function modelContract(fixture: StoreFixture): void {
  it('agrees with a plain map after any sequence of writes, and each feed leads from then to now', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(aWrite, { minLength: 1, maxLength: 12 }), async (writes) => {
        const { store } = fixture;
        await store.deleteStation(station);
        const { head } = await store.createStation(station);
        let model: Model = new Map();
        const history = [{ head, model }];
        for (const write of writes) {
          model =
            'put' in write
              ? await applyPut(store, model, write.put)
              : await applyRemoval(store, model, write.remove);
          history.push({ head: (await store.head(station))!, model });
        }
        expect((await readAll(store)).put).toEqual(model);
        for (const moment of history) await expectFeedToLead(store, moment, model);
      }),
      { numRuns: 60 },
    );
  });
}
