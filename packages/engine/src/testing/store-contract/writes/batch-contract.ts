import { resourceDefaults } from '@roster/contract';
import { beforeEach, expect, it } from 'vitest';
import { scale } from '../../../../../../testing/scale.ts';
import {
  aRecord,
  manyRecords,
  onLines,
  put,
  readAll,
  readOne,
  stage,
  station,
} from '../fixture/contract-data.ts';
import type { StoreFixture } from '../fixture/store-fixture.ts';

const large = scale(5_000, 20_000);

export function batchContract(fixture: StoreFixture): void {
  beforeEach(async () => {
    await fixture.store.createStation(station);
  });

  it.each([1, 1_500])(
    'writes none of %i records to a station that was created again meanwhile',
    async (count) => {
      const { store } = fixture;
      const records = onLines(manyRecords(count));
      const batch = await store.openBatch(station);
      await batch.add(records.slice(0, 1_200));
      await store.deleteStation(station);
      await store.createStation(station);
      const rest = (async () => {
        await batch.add(records.slice(1_200));
        return batch.commit();
      })();
      await expect(rest).rejects.toMatchObject({ code: 'station_not_found' });
      await batch.discard();
      expect((await readAll(store)).put.size).toBe(0);
    },
  );

  it.each([1_000, 1_001])(
    'stages nothing of %i records in a station that was created again',
    async (count) => {
      const { store } = fixture;
      const batch = await store.openBatch(station);
      await store.deleteStation(station);
      await store.createStation(station);
      const write = (async () => {
        await batch.add(onLines(manyRecords(count)));
        return batch.commit();
      })();
      await expect(write).rejects.toMatchObject({ code: 'station_not_found' });
      await batch.discard();
      expect((await readAll(store)).put.size).toBe(0);
    },
  );

  it('counts what was created, updated and left unchanged', async () => {
    const { store } = fixture;
    expect(await put(store, [aRecord('a'), aRecord('b')])).toMatchObject({
      head: { number: 1 },
      created: 2,
      updated: 0,
      unchanged: 0,
      removed: 0,
    });
    const mixed = await put(store, [aRecord('a'), aRecord('b', { sku: 'new' }), aRecord('c')]);
    expect(mixed).toMatchObject({ head: { number: 2 }, created: 1, updated: 1, unchanged: 1, removed: 0 });
    expect(await store.head(station)).toEqual(mixed.head);
  });

  it('fills in the defaults of a new resource', async () => {
    const { store } = fixture;
    const before = new Date().toISOString();
    await put(store, [aRecord('a', { name: 'alpha' })]);
    const resource = await readOne(store, 'a');
    expect(resource).toEqual({
      resourceId: 'a',
      name: 'alpha',
      displayName: 'alpha',
      typeKey: 'resource_type.compute.vm',
      ...resourceDefaults,
      createTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      stateSinceMs: Date.parse(resource!.createTime),
    });
    expect(resource!.createTime >= before).toBe(true);
    expect(resource!.createTime <= new Date().toISOString()).toBe(true);
  });

  it('keeps every given field', async () => {
    const { store } = fixture;
    const given = {
      resourceId: 'a',
      name: 'alpha',
      displayName: 'The alpha',
      typeKey: 'resource_type.gpu.node',
      product: 'product.gpu',
      alertable: false,
      state: 'ALERTSTATE_FIRING',
      sku: 'large',
      gpuModel: 'H100',
      alertRulesCount: Number.MAX_SAFE_INTEGER,
      createTime: '2026-01-31T08:00:00.123456789Z',
      stateSinceMs: Date.parse('2026-02-01T08:00:00.123Z'),
      labels: '{"example.com/owner":"search","rack":"r12 \\"b\\""}',
    };
    await put(store, [given]);
    expect(await readOne(store, 'a')).toEqual(given);
  });

  it('keeps the time of a state until the state changes, whatever else does', async () => {
    const { store } = fixture;
    const since = async () => (await readOne(store, 'a'))!.stateSinceMs;
    const stateSinceMs = Date.parse('2026-02-01T08:00:00.000Z');
    await put(store, [aRecord('a', { state: 'ALERTSTATE_FIRING', stateSinceMs })]);
    await put(store, [aRecord('a', { sku: 'new' })]);
    await put(store, [aRecord('a', { state: 'ALERTSTATE_FIRING', sku: 'newer' })]);
    expect(await since()).toBe(stateSinceMs);
    const before = Date.now();
    await put(store, [aRecord('a', { state: 'ALERTSTATE_INACTIVE' })]);
    expect(await since()).toBeGreaterThanOrEqual(before);
    expect(await since()).toBeLessThanOrEqual(Date.now());
    expect(await put(store, [aRecord('a', { state: 'ALERTSTATE_INACTIVE' })])).toMatchObject({
      unchanged: 1,
    });
    await put(store, [aRecord('a', { stateSinceMs: stateSinceMs + 1 })]);
    expect(await since()).toBe(stateSinceMs + 1);
  });

  it('replaces labels as a whole, and keeps them where a record has none', async () => {
    const { store } = fixture;
    const labels = async () => (await readOne(store, 'a'))!.labels;
    await put(store, [aRecord('a', { labels: '{"owner":"search","rack":"r1"}' })]);
    await put(store, [aRecord('a', { sku: 'new' })]);
    expect(await labels()).toBe('{"owner":"search","rack":"r1"}');
    await put(store, [aRecord('a', { labels: '{"rack":"r2"}' })]);
    expect(await labels()).toBe('{"rack":"r2"}');
    await put(store, [aRecord('a', { labels: '{}' })]);
    expect(await labels()).toBe('{}');
  });

  it('keeps the stored value of each field that a record leaves out', async () => {
    const { store } = fixture;
    await put(store, [
      aRecord('a', {
        displayName: 'shown',
        product: 'product.gpu',
        alertable: false,
        state: 'ALERTSTATE_FIRING',
        sku: 'large',
        gpuModel: 'H100',
        alertRulesCount: 7,
        createTime: '2026-01-31T08:00:00.000Z',
      }),
    ]);
    const before = await readOne(store, 'a');
    expect(await put(store, [aRecord('a')])).toMatchObject({ updated: 0, unchanged: 1, head: { number: 1 } });
    expect(await put(store, [aRecord('a', { name: 'renamed' })])).toMatchObject({ updated: 1, unchanged: 0 });
    expect(await readOne(store, 'a')).toEqual({ ...before, name: 'renamed' });
  });

  const changes = {
    displayName: 'other',
    typeKey: 'resource_type.compute.other',
    product: 'product.other',
    alertable: false,
    state: 'ALERTSTATE_FIRING',
    sku: 'other',
    gpuModel: 'other',
    alertRulesCount: 3,
    createTime: '2027-01-01T00:00:00.000Z',
    name: 'other',
  };
  it.each(Object.entries(changes))('notices a changed %s', async (field, value) => {
    const { store } = fixture;
    await put(store, [aRecord('a')]);
    expect(await put(store, [aRecord('a', { [field]: value })])).toMatchObject({ updated: 1, unchanged: 0 });
    expect(await readOne(store, 'a')).toMatchObject({ [field]: value });
  });

  it('can take a field back to its default', async () => {
    const { store } = fixture;
    await put(store, [aRecord('a', { sku: 'large', alertRulesCount: 3, alertable: false })]);
    const result = await put(store, [aRecord('a', { sku: '', alertRulesCount: 0, alertable: true })]);
    expect(result.updated).toBe(1);
    expect(await readOne(store, 'a')).toMatchObject({ sku: '', alertRulesCount: 0, alertable: true });
  });

  it('makes no revision when nothing changes', async () => {
    const { store } = fixture;
    const { head } = await put(store, [aRecord('a'), aRecord('b')]);
    const again = await put(store, [aRecord('a'), aRecord('b')]);
    expect(again).toEqual({ head, created: 0, updated: 0, unchanged: 2, removed: 0, newTypes: [] });
    expect(await store.head(station)).toEqual(head);
  });

  it('makes no revision for a batch without records', async () => {
    const { store } = fixture;
    const head = await store.head(station);
    const batch = await store.openBatch(station);
    await batch.add([]);
    const result = await batch.commit();
    expect(result).toEqual({ head, created: 0, updated: 0, unchanged: 0, removed: 0, newTypes: [] });
  });

  it('shows nothing of a batch before its commit, and nothing at all after a discard', async () => {
    const { store } = fixture;
    const batch = await stage(store, [aRecord('a')]);
    expect((await readAll(store)).put.size).toBe(0);
    await batch.discard();
    await batch.discard();
    expect((await readAll(store)).put.size).toBe(0);
    expect((await store.head(station))?.number).toBe(0);
  });

  it('keeps several open batches apart', async () => {
    const { store } = fixture;
    const batches = await Promise.all(
      ['a', 'b', 'c', 'd'].map((prefix) => stage(store, [aRecord(`${prefix}-1`), aRecord(`${prefix}-2`)])),
    );
    for (const [index, batch] of batches.entries()) {
      await batch.add([{ line: 3, record: aRecord(`late-${index}`) }]);
    }
    await batches[1]!.discard();
    expect(await batches[2]!.commit()).toMatchObject({ created: 3, head: { number: 1 } });
    expect(await batches[0]!.commit()).toMatchObject({ created: 3, head: { number: 2 } });
    expect(await batches[3]!.commit()).toMatchObject({ created: 3, head: { number: 3 } });
    const ids = [...(await readAll(store)).put.keys()].sort();
    expect(ids).toEqual(['a-1', 'a-2', 'c-1', 'c-2', 'd-1', 'd-2', 'late-0', 'late-2', 'late-3']);
  });

  it('decides what changed when it commits, not when records were added', async () => {
    const { store } = fixture;
    const early = await stage(store, [aRecord('a', { sku: 'early' })]);
    await put(store, [aRecord('a', { sku: 'between', product: 'product.kept' })]);
    expect(await early.commit()).toMatchObject({ created: 0, updated: 1 });
    expect(await readOne(store, 'a')).toMatchObject({ sku: 'early', product: 'product.kept' });
  });

  it('makes contiguous revisions under concurrent writers', async () => {
    const { store } = fixture;
    const writes = Array.from({ length: 20 }, (_, index) => put(store, [aRecord(`vm-${index}`)]));
    const numbers = (await Promise.all(writes)).map(({ head }) => head.number);
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect((await store.head(station))?.number).toBe(20);
    expect((await readAll(store)).put.size).toBe(20);
  });

  it('gives every revision its own rev_id', async () => {
    const { store } = fixture;
    const ids = new Set<string>();
    for (let index = 0; index < 10; index++) ids.add((await put(store, [aRecord(`vm-${index}`)])).head.revId);
    expect(ids.size).toBe(10);
  });

  it('removes a resource', async () => {
    const { store } = fixture;
    await put(store, [aRecord('a'), aRecord('b')]);
    const result = await store.removeResource(station, 'a');
    expect(result).toMatchObject({ head: { number: 2 }, created: 0, updated: 0, unchanged: 0, removed: 1 });
    expect([...(await readAll(store)).put.keys()]).toEqual(['b']);
    await expect(store.removeResource(station, 'a')).rejects.toMatchObject({ code: 'resource_not_found' });
    expect(await store.head(station)).toEqual(result.head);
  });

  it('keeps hostile text byte for byte', async () => {
    const { store } = fixture;
    const texts = [
      `'; DROP TABLE resources; --`,
      `"quoted" \\ back\\slash \\u0041 \${x} :name ?1 %s`,
      '机器 GPU 🧑🏽‍🚀🇨🇭 ﷽ e\u0301 \u00e9 \u202eltr',
      '\u{10ffff}\ufffd\ufeff\u2028\u2029',
      'null',
      '[1,2]{"a":1}',
      '1e999',
      ' leading and trailing ',
      '🦄'.repeat(512),
      'x'.repeat(1024),
    ];
    const records = texts.map((text, index) =>
      aRecord(`id ${index} ${text.slice(0, 200).toWellFormed()}`, {
        name: text,
        displayName: text,
        sku: text,
        gpuModel: text,
      }),
    );
    expect((await put(store, records)).created).toBe(texts.length);
    expect((await put(store, records)).unchanged).toBe(texts.length);
    const { put: stored } = await readAll(store);
    for (const record of records) expect(stored.get(record.resourceId)).toMatchObject(record);
  });

  it('tells apart names that differ in case, in trailing blanks or in Unicode form', async () => {
    const { store } = fixture;
    const names = ['a', 'A', 'a ', '\u00e9', 'e\u0301', '1', '1.0', '01'];
    const records = names.map((name) => aRecord(`id of ${name}.`, { name }));
    expect((await put(store, records)).created).toBe(names.length);
  });

  it(`writes a batch of ${large} records, whole and again`, async () => {
    const { store } = fixture;
    const records = manyRecords(large, { displayName: 'many' });
    expect(await put(store, records)).toMatchObject({ created: large, head: { number: 1 } });
    const half = records.map((record, index) => (index % 2 === 0 ? { ...record, sku: 'x' } : record));
    const again = await put(store, [...half, aRecord('one more')]);
    expect(again).toMatchObject({ created: 1, updated: large / 2, unchanged: large / 2 });
    expect((await readAll(store)).put.size).toBe(large + 1);
  });

  it('takes any number of records in one call', async () => {
    const { store } = fixture;
    const batch = await store.openBatch(station);
    await batch.add(onLines(manyRecords(12_345)));
    expect((await batch.commit()).created).toBe(12_345);
  });
}
