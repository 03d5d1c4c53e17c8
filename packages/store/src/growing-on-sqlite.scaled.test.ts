import { everything, type ResourceRecord } from '@roster/contract';
import { type Batch, Engine, type Store } from '@roster/engine';
import fc from 'fast-check';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { scale } from '../../../testing/scale.ts';
import { createSqliteStore } from './sqlite/main/create-sqlite-store.ts';
import { isWriting } from './sqlite/testing/is-writing.ts';
import { temporaryDirectory } from './sqlite/testing/temporary-directory.ts';
import { noteBuilds } from './testing/note-builds.ts';
import { someRecords } from './testing/some-records.ts';
import { aBatch, aToken, put, station } from './testing/station-data.ts';

let directory: string;
let store: Store;
let engine: Engine;
/** How each snapshot was built, in order. */
let built: string[];

beforeEach(async () => {
  directory = temporaryDirectory();
  store = await createSqliteStore({ directory, earlyFrom: 1 });
  onTestFinished(() => store.close());
  await useEngine();
});

async function useEngine(memoryBudgetBytes = 1e9): Promise<void> {
  built = [];
  engine = new Engine(store, {
    memoryBudgetBytes,
    snapshotRetentionMs: 60_000,
    observer: noteBuilds(built),
  });
  await store.createStation(station);
  // From now on every write is indexed before it is visible, however small it is.
  await engine.read(station);
  built.length = 0;
}

async function startImport(): Promise<Batch> {
  const batch = await store.openBatch(station);
  await batch.add(aBatch(20, 'first'));
  await expect.poll(() => isWriting(directory)).toBe(true);
  await batch.add(aBatch(30, 'second'));
  return batch;
}

/** Every row of the index, and every list, is what the store has. */
async function expectConsistent(address = station): Promise<void> {
  expect(await engine.check(address)).toEqual({ outcome: 'consistent' });
}

function total(): number {
  return (engine.read(station) as Awaited<ReturnType<Engine['read']>>).select(everything).total;
}

it('grows with an import, and shows nothing of it before the commit', async () => {
  const batch = await startImport();
  await expect.poll(() => engine.size().bytes).toBeGreaterThan(50_000);
  expect(total()).toBe(0);
  await batch.commit();
  expect(total()).toBe(50);
  expect(built).toEqual(['import']);
  await expectConsistent();
});

it('goes on with changes, before and after its rows are put in order', async () => {
  await (await startImport()).commit();
  await put(store, aBatch(3, 'third'));
  expect(total()).toBe(53);
  await expectConsistent();
  engine.tidy();
  await put(store, aBatch(4, 'fourth'));
  expect(total()).toBe(57);
  await store.removeResource(station, 'first-0');
  await expectConsistent();
  expect(built).toEqual(['import', 'changes', 'changes', 'changes']);
});

it('has the labels and defaults of types, new and known', async () => {
  const known = {
    key: 'resource_type.known',
    labels: { en: 'Known' },
    product: 'product.p',
    alertable: false,
  };
  await store.putTypes([known]);
  const batch = await store.openBatch(station);
  const records: ResourceRecord[] = [
    { resourceId: 'a', name: 'a', typeKey: known.key, typeLabel: 'Ignored' },
    { resourceId: 'b', name: 'b', typeKey: 'resource_type.new', typeLabel: 'New' },
    { resourceId: 'c', name: 'c', typeKey: 'resource_type.late' },
    { resourceId: 'd', name: 'd', typeKey: 'resource_type.late', typeLabel: 'Late' },
  ];
  for (const [at, record] of records.entries()) await batch.add([{ line: at + 1, record }]);
  await batch.commit();
  expect(built).toEqual(['import']);
  await expectConsistent();
  const { buckets } = await engine.read(station);
  const labels = Array.from(buckets.values(), ({ typeKey, label }) => [typeKey, label]);
  expect(Object.fromEntries(labels)).toMatchObject({
    'resource_type.known': 'Known',
    'resource_type.new': 'New',
  });
  expect(engine.knownLabels().labelOf('resource_type.late', 'en')).toBe('Late');
});

const ends: Record<string, (batch: Batch) => Promise<unknown>> = {
  'is discarded': (batch) => batch.discard(),
  'has an id twice': async (batch) => {
    await batch.add(aBatch(1, 'second'));
    await expect(batch.commit()).rejects.toMatchObject({ code: 'invalid_records' });
  },
  'loses its station': async (batch) => {
    await store.deleteStation(station);
    await expect(batch.commit()).rejects.toMatchObject({ code: 'station_not_found' });
    await store.createStation(station);
  },
};

it.each(Object.entries(ends))('leaves nothing of an import that %s', async (_, end) => {
  const before = engine.size().bytes;
  const batch = await startImport();
  await end(batch);
  await expect.poll(() => engine.size().bytes).toBeLessThanOrEqual(before);
  expect((await engine.read(station)).select(everything).total).toBe(0);
  expect(built).not.toContain('import');
  await put(store, aBatch(7));
  expect(total()).toBe(7);
  await expectConsistent();
});

const interruptions: Record<string, (batch: Batch) => Promise<unknown>> = {
  'someone else writes': () => store.tokens.add(aToken('t')),
  'someone else writes to the station': () => put(store, aBatch(2, 'first')),
  'its types change': () =>
    store.putTypes([
      { key: 'resource_type.compute.vm', labels: {}, product: 'product.late', alertable: false },
    ]),
  'it is planned': (batch) => batch.plan(1),
};

it.each(Object.entries(interruptions))('reads an import from the store if %s', async (_, interrupt) => {
  const batch = await startImport();
  await interrupt(batch);
  await batch.add(aBatch(5, 'third'));
  await batch.commit();
  expect(total()).toBe(55);
  expect(built).not.toContain('import');
  await expectConsistent();
});

it('gives up growing without room for it', async () => {
  await store.deleteStation(station);
  await useEngine(100_000);
  const batch = await startImport();
  await batch.commit();
  expect(total()).toBe(50);
  expect(built).toEqual(['changes']);
});

it('grows with one of two imports, and with none of one station', async () => {
  const other = { ...station, name: 'other' };
  await store.createStation(other);
  await engine.read(other);
  const [a, b, c] = [
    await startImport(),
    await store.openBatch(other),
    await store.openBatch(station),
  ] as const;
  await b.add(aBatch(10));
  await c.add(aBatch(10, 'third'));
  await Promise.all([a.commit(), b.commit(), c.commit()]);
  expect(total()).toBe(60);
  await expectConsistent();
  await expectConsistent(other);
});

it('is what the store has after any import', async () => {
  const modes = fc.constantFrom('merge' as const, 'replace' as const);
  await fc.assert(
    fc.asyncProperty(someRecords, modes, fc.integer({ min: 1, max: 20 }), async (records, mode, size) => {
      await store.deleteStation(station);
      await store.createStation(station);
      await engine.read(station);
      built.length = 0;
      const batch = await store.openBatch(station, { mode });
      const lines = records.map((record, at) => ({ line: at + 1, record }));
      for (let at = 0; at < lines.length; at += size) await batch.add(lines.slice(at, at + size));
      const areNamesUnique = new Set(records.map(({ name }) => name)).size === records.length;
      const committed = await batch.commit().then(
        () => true,
        () => false,
      );
      expect(committed).toBe(areNamesUnique);
      expect(built).toEqual(committed ? ['import'] : []);
      expect(total()).toBe(committed ? records.length : 0);
      await expectConsistent();
      engine.tidy();
      await put(store, aBatch(1, 'later'));
      await expectConsistent();
    }),
    { numRuns: scale(20, 100) },
  );
});
