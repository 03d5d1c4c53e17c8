import { beforeEach, expect, it } from 'vitest';
import { aRecord, put, stage, station } from './contract-data.ts';
import type { StoreFixture } from './store-fixture.ts';

const typeKey = 'resource_type.gpu.node';

export function catalogContract(fixture: StoreFixture): void {
  beforeEach(async () => {
    await fixture.store.createStation(station);
  });

  it('adds the types that a batch brings, with the label that came along', async () => {
    const { store } = fixture;
    const before = await store.catalog();
    expect(before.types.size).toBe(0);
    await put(store, [
      aRecord('a', { typeKey: 'resource_type.plain' }),
      aRecord('b', { typeKey }),
      aRecord('c', { typeKey, typeLabel: 'GPU node' }),
      aRecord('d', { typeKey, typeLabel: 'Second label' }),
    ]);
    const { revision, types } = await store.catalog();
    expect(revision).toBeGreaterThan(before.revision);
    expect([...types.keys()].sort()).toEqual([typeKey, 'resource_type.plain']);
    expect(types.get(typeKey)).toEqual({ key: typeKey, labels: { en: 'GPU node' } });
    expect(types.get('resource_type.plain')?.labels).toEqual({});
  });

  it('never overwrites a label from a batch', async () => {
    const { store } = fixture;
    await put(store, [aRecord('a', { typeKey, typeLabel: 'First' })]);
    const before = await store.catalog();
    await put(store, [aRecord('b', { typeKey, typeLabel: 'Second' })]);
    expect(await store.catalog()).toEqual(before);
  });

  it('adds no types of a batch that is refused or discarded', async () => {
    const { store } = fixture;
    const refused = await stage(store, [aRecord('a', { typeKey }), aRecord('a', { typeKey })]);
    await expect(refused.commit()).rejects.toMatchObject({ code: 'invalid_records' });
    const discarded = await stage(store, [aRecord('a', { typeKey })]);
    await discarded.discard();
    expect((await store.catalog()).types.size).toBe(0);
  });

  it('adds types and replaces labels on request', async () => {
    const { store } = fixture;
    await put(store, [aRecord('a', { typeKey, typeLabel: 'Old' })]);
    const before = await store.catalog();
    const head = await store.head(station);
    const labels = { en: 'GPU node', zh: 'GPU 节点' };
    await store.putTypes([
      { key: typeKey, labels },
      { key: 'resource_type.other', labels: {} },
    ]);
    const after = await store.catalog();
    expect(after.revision).toBeGreaterThan(before.revision);
    expect(after.types.get(typeKey)).toEqual({ key: typeKey, labels });
    expect(after.types.has('resource_type.other')).toBe(true);
    expect(before.types.get(typeKey)?.labels).toEqual({ en: 'Old' });
    expect(await store.head(station)).toEqual(head);
  });

  it('keeps types when their station goes', async () => {
    const { store } = fixture;
    await put(store, [aRecord('a', { typeKey, typeLabel: 'Kept' })]);
    await store.deleteStation(station);
    expect((await store.catalog()).types.get(typeKey)?.labels).toEqual({ en: 'Kept' });
  });
}
