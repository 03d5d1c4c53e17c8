import { limits, type RecordError, type RosterError } from '@roster/contract';
import { beforeEach, expect, it } from 'vitest';
import { longOnly } from '../../../../../../testing/scale.ts';
import type { Store } from '../../../port/store.ts';
import { aRecord, manyRecords, put, readAll, readOne, stage, station } from '../fixture/contract-data.ts';
import type { StoreFixture } from '../fixture/store-fixture.ts';

type Records = Parameters<typeof stage>[1];

/** Checks that `validate` and `commit` agree, that nothing is written, and returns what they reported. */
async function errorsOf(store: Store, records: Records): Promise<{ errors: RecordError[]; total: number }> {
  const before = await readAll(store);
  const batch = await stage(store, records);
  const validated = await batch.validate();
  const error = (await batch.commit().catch((caught: unknown) => caught)) as RosterError;
  expect(error.code).toBe('invalid_records');
  expect(error.extensions).toEqual({ fault_count: validated.total, faults: validated.errors });
  expect(await readAll(store)).toEqual(before);
  expect(await store.head(station)).toEqual(before.head);
  return validated as { errors: RecordError[]; total: number };
}

export function conflictContract(fixture: StoreFixture): void {
  beforeEach(async () => {
    await fixture.store.createStation(station);
  });

  const stationStates = [
    ['an empty station', []],
    ['a station with resources', [aRecord('stored'), aRecord('a', { name: 'alpha' })]],
  ] as const;

  for (const [what, stored] of stationStates) {
    it(`reports an id that comes twice, in ${what}`, async () => {
      const { store } = fixture;
      await put(store, stored);
      const { errors, total } = await errorsOf(store, [
        aRecord('a', { name: 'alpha' }),
        aRecord('b'),
        aRecord('a', { name: 'alpha' }),
        aRecord('a', { name: 'another' }),
      ]);
      expect(total).toBe(2);
      expect(errors).toEqual([
        { line: 3, field: 'resource_id', reason: expect.stringContaining('line 1') },
        { line: 4, field: 'resource_id', reason: expect.stringContaining('line 1') },
      ]);
    });

    it(`reports a name that comes twice, in ${what}`, async () => {
      const { store } = fixture;
      await put(store, stored);
      const { errors, total } = await errorsOf(store, [
        aRecord('x', { name: 'same' }),
        aRecord('y'),
        aRecord('z', { name: 'same' }),
      ]);
      expect(total).toBe(1);
      expect(errors).toEqual([{ line: 3, field: 'name', reason: expect.stringContaining('line 1') }]);
    });
  }

  it('reports a name that belongs to another resource of the station', async () => {
    const { store } = fixture;
    await put(store, [aRecord('owner', { name: 'taken' })]);
    const { errors, total } = await errorsOf(store, [
      aRecord('fine'),
      aRecord('thief', { name: 'taken' }),
      aRecord('also fine'),
    ]);
    expect(total).toBe(1);
    expect(errors).toEqual([{ line: 2, field: 'name', reason: expect.stringContaining('owner') }]);
  });

  it('reports an existing resource that is renamed to a name that is taken', async () => {
    const { store } = fixture;
    await put(store, [aRecord('owner', { name: 'taken' }), aRecord('other', { name: 'free' })]);
    const { errors } = await errorsOf(store, [aRecord('other', { name: 'taken' })]);
    expect(errors).toMatchObject([{ line: 1, field: 'name' }]);
  });

  it('reports a name that its owner keeps within the batch', async () => {
    const { store } = fixture;
    await put(store, [aRecord('owner', { name: 'taken' })]);
    const { errors } = await errorsOf(store, [
      aRecord('thief', { name: 'taken' }),
      aRecord('owner', { name: 'taken' }),
    ]);
    expect(errors).toMatchObject([{ line: 2, field: 'name' }]);
  });

  it('reports errors of all kinds in line order, at most so many, with their true number', async () => {
    const { store } = fixture;
    await put(store, manyRecords(200));
    const records = [];
    for (let index = 0; index < 200; index++) {
      records.push(aRecord(`new-${index}`, { name: `name of vm-${index}` }));
      records.push(aRecord(`new-${index}`, { name: `fresh ${index}` }));
      records.push(aRecord(`twin-${index}`, { name: `fresh ${index}` }));
    }
    const { errors, total } = await errorsOf(store, records);
    expect(total).toBe(600);
    expect(errors.length).toBe(limits.maxReportedErrors);
    expect(errors.map(({ line }) => line)).toEqual(errors.map((_, index) => index + 1));
    expect(errors.slice(0, 3).map(({ field }) => field)).toEqual(['name', 'resource_id', 'name']);
  });

  longOnly(it)('finds the conflicts of a large batch in about the time that writing it takes', async () => {
    const { store } = fixture;
    await put(store, manyRecords(10));
    const pairs = Array.from({ length: 60_000 }, (_, index) =>
      aRecord(`pair-${index >> 1}`, { name: `name ${index % 30_000}` }),
    );
    const batch = await stage(store, pairs);
    const begun = performance.now();
    expect((await batch.validate()).total).toBe(60_000);
    expect(performance.now() - begun).toBeLessThan(10_000);
    await batch.discard();
  });

  it('reports the lines that records came from', async () => {
    const { store } = fixture;
    const batch = await store.openBatch(station);
    await batch.add([
      { line: 70, record: aRecord('a') },
      { line: 7, record: aRecord('b', { name: 'same' }) },
    ]);
    await batch.add([
      { line: 5, record: aRecord('a') },
      { line: 700, record: aRecord('c', { name: 'same' }) },
    ]);
    const { errors } = await batch.validate();
    expect(errors.map(({ line }) => line)).toEqual([5, 700]);
    await batch.discard();
  });

  it('tells the columns of records that have one', async () => {
    const { store } = fixture;
    const batch = await store.openBatch(station);
    await batch.add([
      { line: 1, column: 2, record: aRecord('a') },
      { line: 1, column: 2034, record: aRecord('b', { name: 'same' }) },
      { line: 3, column: 1, record: aRecord('c') },
      { line: 4, column: 5, record: aRecord('a') },
      { line: 4, column: 99, record: aRecord('d', { name: 'same' }) },
      { line: 5, column: 1, record: aRecord('c') },
      { line: 6, record: aRecord('c') },
    ]);
    const { errors } = await batch.validate();
    expect(errors.map(({ line, column }) => [line, column])).toEqual([
      [4, 5],
      [4, 99],
      [5, 1],
      [6, undefined],
    ]);
    expect(errors.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/line 1, column 2$/),
      expect.stringMatching(/line 1, column 2034$/),
      expect.stringMatching(/line 3$/),
      expect.stringMatching(/line 3$/),
    ]);
    await expect(batch.plan(10)).rejects.toMatchObject({
      code: 'invalid_records',
      extensions: { faults: errors },
    });
    await batch.discard();
  });

  it('validates without writing and can commit afterwards', async () => {
    const { store } = fixture;
    const batch = await stage(store, [aRecord('a')]);
    expect(await batch.validate()).toEqual({ errors: [], total: 0 });
    expect((await store.head(station))?.number).toBe(0);
    await batch.add([{ line: 2, record: aRecord('b') }]);
    expect(await batch.validate()).toEqual({ errors: [], total: 0 });
    expect((await batch.commit()).created).toBe(2);
  });

  it('finds conflicts with what was written after the records were added', async () => {
    const { store } = fixture;
    const batch = await stage(store, [aRecord('late', { name: 'wanted' })]);
    await put(store, [aRecord('early', { name: 'wanted' })]);
    expect(await batch.validate()).toMatchObject({ total: 1 });
    await expect(batch.commit()).rejects.toMatchObject({ code: 'invalid_records' });
  });

  it('lets two resources swap their names in one batch', async () => {
    const { store } = fixture;
    await put(store, [aRecord('a', { name: 'one' }), aRecord('b', { name: 'two' }), aRecord('c')]);
    const swap = await stage(store, [aRecord('a', { name: 'two' }), aRecord('b', { name: 'one' })]);
    expect(await swap.validate()).toEqual({ errors: [], total: 0 });
    expect(await swap.commit()).toMatchObject({ created: 0, updated: 2, unchanged: 0, head: { number: 2 } });
    expect((await readOne(store, 'a'))?.name).toBe('two');
    expect((await readOne(store, 'b'))?.name).toBe('one');
  });

  it('lets names rotate through old and new resources of one batch', async () => {
    const { store } = fixture;
    await put(store, [
      aRecord('a', { name: 'one' }),
      aRecord('b', { name: 'two' }),
      aRecord('c', { name: 'three' }),
      aRecord('d', { name: 'four', sku: 'kept' }),
    ]);
    const result = await put(store, [
      aRecord('new', { name: 'one' }),
      aRecord('a', { name: 'two' }),
      aRecord('b', { name: 'three' }),
      aRecord('c', { name: 'five' }),
      aRecord('d', { name: 'four' }),
    ]);
    expect(result).toMatchObject({ created: 1, updated: 3, unchanged: 1 });
    const { put: stored } = await readAll(store);
    const names = Object.fromEntries([...stored].map(([id, { name }]) => [id, name]));
    expect(names).toEqual({ a: 'two', b: 'three', c: 'five', d: 'four', new: 'one' });
    expect(stored.get('d')?.sku).toBe('kept');
  });

  it('lets a name be used again once its owner has another or is gone', async () => {
    const { store } = fixture;
    await put(store, [aRecord('a', { name: 'one' }), aRecord('b', { name: 'two' })]);
    await put(store, [aRecord('a', { name: 'renamed' })]);
    await put(store, [aRecord('c', { name: 'one' })]);
    await store.removeResource(station, 'b');
    expect((await put(store, [aRecord('d', { name: 'two' })])).created).toBe(1);
  });

  it('accepts the next batch after one that failed', async () => {
    const { store } = fixture;
    const failed = await stage(store, [aRecord('a'), aRecord('a')]);
    await expect(failed.commit()).rejects.toMatchObject({ code: 'invalid_records' });
    await failed.discard();
    expect(await put(store, [aRecord('a')])).toMatchObject({ created: 1, head: { number: 1 } });
  });
}
