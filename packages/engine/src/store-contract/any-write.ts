import { type Resource, type ResourceRecord, resourceDefaults } from '@roster/contract';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Store } from '../store.ts';
import { put, station } from './contract-data.ts';

/** A station as a plain map. */
export type Model = ReadonlyMap<string, Resource>;

export interface BatchWrite {
  readonly mode: 'merge' | 'replace';
  readonly records: readonly ResourceRecord[];
}

export type Write = BatchWrite | { readonly remove: string };

const oneOf = (prefix: string, count: number) => fc.nat(count - 1).map((number) => `${prefix}${number}`);

const aRecord: fc.Arbitrary<ResourceRecord> = fc.record(
  {
    resourceId: oneOf('id', 6),
    name: oneOf('name', 9),
    typeKey: fc.constantFrom('resource_type.a', 'resource_type.b'),
    displayName: oneOf('shown', 6),
    state: fc.constantFrom('ALERTSTATE_INACTIVE', 'ALERTSTATE_FIRING'),
    sku: fc.constantFrom('', 'large'),
    alertable: fc.boolean(),
    alertRulesCount: fc.nat(2),
    createTime: fc.constant('2026-01-31T08:00:00.000Z'),
  },
  { requiredKeys: ['resourceId', 'name', 'typeKey', 'createTime'] },
);

/** Mostly such that a store must take them. */
const records = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.uniqueArray(aRecord, {
      minLength: 1,
      maxLength: 5,
      selector: ({ resourceId }) => resourceId,
    }),
  },
  { weight: 1, arbitrary: fc.array(aRecord, { maxLength: 5 }) },
);

const aBatchWrite: fc.Arbitrary<BatchWrite> = fc.record({
  mode: fc.constantFrom('merge', 'merge', 'replace'),
  records,
});

const aWrite: fc.Arbitrary<Write> = fc.oneof(
  { weight: 5, arbitrary: aBatchWrite },
  { weight: 1, arbitrary: oneOf('id', 6).map((remove) => ({ remove })) },
);

export const anyWrites = fc.array(aWrite, { minLength: 1, maxLength: 12 });

/** The state after a batch, or undefined when the batch must be refused. */
function expectedAfter(before: Model, { mode, records }: BatchWrite): Model | undefined {
  const after = new Map(mode === 'merge' ? before : []);
  for (const { typeLabel: _, ...record } of records) {
    const fresh = { ...resourceDefaults, displayName: record.name, createTime: '' };
    after.set(record.resourceId, { ...fresh, ...before.get(record.resourceId), ...record });
  }
  const ids = new Set(records.map(({ resourceId }) => resourceId));
  const names = new Set([...after.values()].map(({ name }) => name));
  return ids.size === records.length && names.size === after.size ? after : undefined;
}

/** Writes, checks what the store says of it, and returns the state that the station must have then. */
export function applyWrite(store: Store, before: Model, write: Write): Promise<Model> {
  return 'remove' in write ? applyRemoval(store, before, write.remove) : applyBatch(store, before, write);
}

async function applyBatch(store: Store, before: Model, write: BatchWrite): Promise<Model> {
  const after = expectedAfter(before, write);
  const written = put(store, write.records, { mode: write.mode, allowRemoval: 'all' });
  if (!after) {
    await expect(written).rejects.toMatchObject({ code: 'invalid_records' });
    return before;
  }
  const unchanged = write.records.filter(({ resourceId }) =>
    isSame(before.get(resourceId), after.get(resourceId)!),
  ).length;
  const created = [...after.keys()].filter((id) => !before.has(id)).length;
  expect(await written).toMatchObject({
    created,
    updated: write.records.length - created - unchanged,
    unchanged,
    removed: [...before.keys()].filter((id) => !after.has(id)).length,
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

export function isSame(left: Resource | undefined, right: Resource): boolean {
  return (
    left !== undefined && Object.entries(right).every(([key, value]) => left[key as keyof Resource] === value)
  );
}
