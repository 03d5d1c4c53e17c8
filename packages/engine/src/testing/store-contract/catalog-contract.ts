import { type ResourceType, resourceDefaults } from '@roster/contract';
import { beforeEach, expect, it } from 'vitest';
import { typeVersion } from '../../port/type-version.ts';
import { aRecord, put, readOne, replace, stage, station } from './fixture/contract-data.ts';
import type { StoreFixture } from './fixture/store-fixture.ts';

const typeKey = 'resource_type.gpu.node';

function aType(key: string, given: Partial<ResourceType> = {}): ResourceType {
  const { product, alertable } = resourceDefaults;
  return { key, labels: {}, product, alertable, ...given };
}

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
    expect(types.get(typeKey)).toEqual(aType(typeKey, { labels: { en: 'GPU node' } }));
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
    await store.putTypes([aType(typeKey, { labels }), aType('resource_type.other')]);
    const after = await store.catalog();
    expect(after.revision).toBeGreaterThan(before.revision);
    expect(after.types.get(typeKey)).toEqual(aType(typeKey, { labels }));
    expect(after.types.has('resource_type.other')).toBe(true);
    expect(before.types.get(typeKey)?.labels).toEqual({ en: 'Old' });
    expect(await store.head(station)).toEqual(head);
  });

  it('writes types only while they are what a condition names, also when several writers want to', async () => {
    const { store } = fixture;
    const first = aType(typeKey, { labels: { en: 'First' } });
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => store.putTypes([first], 'absent')));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const condition = { version: typeVersion(first) };
    const labels = ['b', 'c', 'd'];
    const edits = await Promise.allSettled(
      labels.map((label) => store.putTypes([aType(typeKey, { labels: { en: label } })], condition)),
    );
    const won = edits.findIndex(({ status }) => status === 'fulfilled');
    expect(edits.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const { reason } of [...outcomes, ...edits].filter(({ status }) => status === 'rejected') as {
      reason: unknown;
    }[]) {
      expect(reason).toMatchObject({ code: 'type_mismatch' });
    }
    const { types, revision } = await store.catalog();
    expect(types.get(typeKey)?.labels).toEqual({ en: labels[won] });
    const other = aType('resource_type.other');
    const mismatch = { code: 'type_mismatch' };
    await expect(store.putTypes([other], 'present')).rejects.toMatchObject(mismatch);
    await expect(store.deleteType(typeKey, condition)).rejects.toMatchObject(mismatch);
    expect(await store.deleteType(other.key, condition)).toBe(false);
    expect((await store.catalog()).revision).toBe(revision);
    expect(await store.deleteType(typeKey, { version: typeVersion(types.get(typeKey)!) })).toBe(true);
  });

  it('keeps types when their station goes', async () => {
    const { store } = fixture;
    await put(store, [aRecord('a', { typeKey, typeLabel: 'Kept' })]);
    await store.deleteStation(station);
    expect((await store.catalog()).types.get(typeKey)?.labels).toEqual({ en: 'Kept' });
  });

  it('tells which types a batch has added, in order', async () => {
    const { store } = fixture;
    await store.putTypes([aType(typeKey)]);
    const keys = ['resource_type.b', typeKey, 'resource_type.a', 'resource_type.b'];
    const result = await put(
      store,
      keys.map((key, index) => aRecord(`vm-${index}`, { typeKey: key })),
    );
    expect(result.newTypes).toEqual(['resource_type.a', 'resource_type.b']);
    expect((await replace(store, [aRecord('vm-1', { typeKey })])).newTypes).toEqual([]);
    expect((await store.removeResource(station, 'vm-1')).newTypes).toEqual([]);
  });

  it('gives new resources what their type has as default, and others what they have', async () => {
    const { store } = fixture;
    await put(store, [aRecord('old', { typeKey })]);
    await store.putTypes([aType(typeKey, { product: 'product.gpu', alertable: false })]);
    const { updated } = await put(store, [
      aRecord('old', { typeKey, sku: 'new' }),
      aRecord('new', { typeKey }),
      aRecord('given', { typeKey, product: '', alertable: true }),
      aRecord('untyped'),
    ]);
    expect(updated).toBe(1);
    const defaultsOf = async (id: string) => {
      const { product, alertable } = (await readOne(store, id))!;
      return { product, alertable };
    };
    expect(await defaultsOf('old')).toEqual({ product: '', alertable: true });
    expect(await defaultsOf('new')).toEqual({ product: 'product.gpu', alertable: false });
    expect(await defaultsOf('given')).toEqual({ product: '', alertable: true });
    expect(await defaultsOf('untyped')).toEqual({ product: '', alertable: true });
  });

  it('gives defaults in an empty station and in plans too', async () => {
    const { store } = fixture;
    const defaults = { product: 'product.gpu', alertable: false };
    await store.putTypes([aType(typeKey, defaults)]);
    const batch = await stage(store, [aRecord('a', { typeKey })]);
    expect((await batch.plan(1)).changes[0]?.after).toMatchObject(defaults);
    await batch.commit();
    expect(await readOne(store, 'a')).toMatchObject(defaults);
    expect((await store.station(station))?.counts).toMatchObject({ resources: 1, alertable: 0 });
  });

  it('replaces a type as a whole', async () => {
    const { store } = fixture;
    const labels = { en: 'GPU node' };
    await store.putTypes([aType(typeKey, { labels, product: 'product.gpu', alertable: false })]);
    await store.putTypes([aType(typeKey)]);
    expect((await store.catalog()).types.get(typeKey)).toEqual(aType(typeKey));
  });

  it('deletes a type that no resource is of, and says whether there was one', async () => {
    const { store } = fixture;
    await store.putTypes([aType(typeKey), aType('resource_type.other')]);
    const before = await store.catalog();
    expect(await store.deleteType(typeKey)).toBe(true);
    const after = await store.catalog();
    expect(after.revision).toBeGreaterThan(before.revision);
    expect([...after.types.keys()]).toEqual(['resource_type.other']);
    expect(await store.deleteType(typeKey)).toBe(false);
    expect(await store.catalog()).toEqual(after);
    expect(before.types.has(typeKey)).toBe(true);
  });

  it('keeps a type that is in use, and no longer', async () => {
    const { store } = fixture;
    const other = { ...station, name: 'other' };
    await store.createStation(other);
    await put(store, [aRecord('a', { typeKey }), aRecord('b', { typeKey })], { address: other });
    const catalog = await store.catalog();
    await expect(store.deleteType(typeKey)).rejects.toMatchObject({
      code: 'type_in_use',
      extensions: { resources: 2 },
    });
    expect(await store.catalog()).toEqual(catalog);
    await put(store, [aRecord('a')], { address: other });
    await store.removeResource(other, 'b');
    expect(await store.deleteType(typeKey)).toBe(true);
    const { newTypes } = await put(store, [aRecord('c', { typeKey })]);
    expect(newTypes).toEqual([typeKey]);
  });

  it('has types with their defaults again after it was closed and opened', async () => {
    const { store } = fixture;
    const type = aType(typeKey, { labels: { en: 'GPU node' }, product: 'product.gpu', alertable: false });
    await store.putTypes([type, aType('resource_type.gone')]);
    await store.deleteType('resource_type.gone');
    const catalog = await store.catalog();
    const reopened = await fixture.reopen();
    expect(await reopened.catalog()).toEqual(catalog);
    expect((await reopened.catalog()).types.get(typeKey)).toEqual(type);
  });
}
