import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import type { Resource } from '@roster/contract';
import type { Batch, BatchOptions, Store } from '@roster/engine';
import fc from 'fast-check';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { scale, shortOnly } from '../../../../../testing/scale.ts';
import { aBatch, aToken, countResources, put, station } from '../../testing/station-data.ts';
import { createSqliteStore } from '../main/create-sqlite-store.ts';
import { isWriting } from '../testing/is-writing.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

const other = { ...station, name: 'other' };

let directory: string;
let store: Store;

beforeEach(async () => {
  directory = temporaryDirectory();
  store = await createSqliteStore({ directory, earlyFrom: 1 });
  onTestFinished(() => store.close());
  await store.createStation(station);
  await store.createStation(other);
});

/** Five records, of which the last three came when the first two were already being written. */
async function startImport(options?: BatchOptions): Promise<Batch> {
  const batch = await store.openBatch(station, options);
  await batch.add(aBatch(2, 'first'));
  await expect.poll(() => isWriting(directory)).toBe(true);
  await batch.add(aBatch(3, 'second'));
  return batch;
}

async function readAll(): Promise<Map<string, Resource>> {
  const resources = new Map<string, Resource>();
  for await (const { put: part } of (await store.feed(station)).chunks) {
    for (const resource of part) resources.set(resource.resourceId, resource);
  }
  return resources;
}

shortOnly(it)('writes a first import while it comes in, which nobody sees before its commit', async () => {
  const batch = await startImport();
  expect(await readAll()).toEqual(new Map());
  expect(await store.head(station)).toMatchObject({ number: 0 });
  expect(await batch.commit()).toMatchObject({ head: { number: 1 }, created: 5, unchanged: 0 });
  expect(isWriting(directory)).toBe(false);
  expect([...(await readAll()).keys()].sort()).toEqual([
    'first-0',
    'first-1',
    'second-0',
    'second-1',
    'second-2',
  ]);
  expect(await store.station(station)).toMatchObject({ counts: { resources: 5 } });
});

shortOnly(it)('stages what comes to a station that has resources', async () => {
  await put(store, aBatch(1, 'earlier'));
  const batch = await store.openBatch(station);
  await batch.add(aBatch(5));
  await batch.validate();
  await batch.add(aBatch(5, 'more'));
  expect(isWriting(directory)).toBe(false);
  expect(await batch.commit()).toMatchObject({ created: 10 });
});

const interruptions = Object.entries<() => Promise<unknown>>({
  'a station is created': () => store.createStation({ ...station, name: 'third' }),
  'a station is deleted': () => store.deleteStation(other),
  'a resource is removed': () => store.removeResource(other, 'missing').catch(() => undefined),
  'types are put': () =>
    store.putTypes([{ key: 'resource_type.b', labels: {}, product: '', alertable: true }]),
  'a type is deleted': () => store.deleteType('resource_type.missing'),
  'a token is added': () => store.tokens.add(aToken('t')),
  'a first token is added': () => store.tokens.addFirst(aToken('t')),
  'a token is removed': () => store.tokens.remove('missing'),
  'uses of tokens are recorded': () => store.tokens.recordUses(new Map([['missing', 1]])),
  'the history is compacted': () => store.compactHistory(Date.now()),
  'another import begins': async () => (await store.openBatch(other)).add(aBatch(5, 'other')),
  'another import comes and goes': async () => {
    const batch = await store.openBatch(other);
    await batch.add(aBatch(5, 'other'));
    await batch.discard();
  },
});

it.each(scale(interruptions.slice(-3), interruptions.slice(0, -3)))(
  'gives way when %s, and loses nothing',
  async (_, interrupt) => {
    const batch = await startImport();
    await interrupt();
    expect(isWriting(directory)).toBe(false);
    await batch.add(aBatch(4, 'third'));
    await batch.validate();
    expect(isWriting(directory)).toBe(false);
    expect(await batch.commit()).toMatchObject({ head: { number: 1 }, created: 9, updated: 0, unchanged: 0 });
    expect((await readAll()).size).toBe(9);
  },
);

shortOnly(it)('compares with what others wrote to the station meanwhile', async () => {
  const batch = await startImport();
  const [one, two] = aBatch(2, 'first');
  await put(store, [one!, { line: 2, record: { ...two!.record, sku: 'changed', product: 'product.kept' } }]);
  expect(await batch.commit()).toMatchObject({ head: { number: 2 }, created: 3, updated: 1, unchanged: 1 });
  expect((await readAll()).get('first-1')).toMatchObject({ sku: '', product: 'product.kept' });
});

shortOnly(it)('gives new resources the defaults that their type has at the commit', async () => {
  const batch = await startImport();
  const type = { key: 'resource_type.compute.vm', labels: {}, product: 'product.late', alertable: false };
  await store.putTypes([type]);
  await batch.commit();
  for (const resource of (await readAll()).values()) {
    expect(resource).toMatchObject({ product: 'product.late', alertable: false });
  }
});

shortOnly(it)(
  'knows at its commit that the station is gone, or no longer at the revision that was asked for',
  async () => {
    const gone = await startImport();
    await store.deleteStation(station);
    await expect(gone.commit()).rejects.toMatchObject({ code: 'station_not_found' });
    const { head } = await store.createStation(station);
    const late = await startImport({ ifRevision: head });
    await put(store, aBatch(1));
    await expect(late.commit()).rejects.toMatchObject({ code: 'revision_mismatch' });
    expect(await countResources(store)).toBe(1);
  },
);

shortOnly(it)('tells every fault of a batch with its line, however it came in', async () => {
  const batch = await startImport();
  const [record] = aBatch(1, 'first');
  await batch.add([{ ...record!, line: 70 }]);
  await batch.add([{ line: 80, record: { ...record!.record, resourceId: 'another' } }]);
  await expect(batch.commit()).rejects.toMatchObject({
    code: 'invalid_records',
    extensions: {
      fault_count: 2,
      faults: [
        { line: 70, field: 'resource_id' },
        { line: 80, field: 'name' },
      ],
    },
  });
  expect(isWriting(directory)).toBe(false);
  expect(await put(store, aBatch(3))).toMatchObject({ created: 3 });
});

shortOnly(it)('keeps the order of the records when it gives way', async () => {
  const batch = await startImport();
  await store.putTypes([{ key: 'resource_type.b', labels: {}, product: '', alertable: true }]);
  for (let piece = 0; piece < 8; piece++) {
    await batch.add([{ line: 10 + piece, record: aBatch(8, 'third')[piece]!.record }]);
  }
  const planned = (await batch.plan(100)).changes.map(({ after }) => after?.resourceId);
  const inOrder = [aBatch(2, 'first'), aBatch(3, 'second'), aBatch(8, 'third')].flat();
  expect(planned).toEqual(inOrder.map(({ record }) => record.resourceId));
  await batch.add([{ line: 20, record: { ...inOrder[3]!.record, resourceId: 'another' } }]);
  expect((await batch.validate()).errors).toMatchObject([{ line: 20, field: 'name' }]);
  await batch.discard();
});

shortOnly(it)('is not begun late, when it would keep others waiting', async () => {
  const beside = await store.openBatch(other);
  const late = await store.openBatch(station);
  await late.add(aBatch(3));
  await beside.discard();
  await late.add(aBatch(3, 'more'));
  await late.validate();
  await late.add(aBatch(3, 'last'));
  expect(isWriting(directory)).toBe(false);
  await late.discard();
});

shortOnly(it)('gives all new resources of an import the same time', async () => {
  const batch = await store.openBatch(station);
  await batch.add(aBatch(1_000, 'staged'));
  await expect.poll(() => isWriting(directory)).toBe(true);
  await batch.add(aBatch(3));
  expect(await batch.commit()).toMatchObject({ created: 1_003 });
  const times = new Set([...(await readAll()).values()].map(({ createTime }) => createTime));
  expect(times.size).toBe(1);
});

shortOnly(it)(
  'marks the database as it always does when it is closed in the middle of an import',
  async () => {
    await startImport();
    await store.close();
    const mark = readFileSync(join(directory, 'roster.generation'), 'utf8').trim().split('\n');
    const db = new DatabaseSync(join(directory, 'roster.db'), { readOnly: true });
    const values = db
      .prepare('SELECT value FROM meta')
      .all()
      .map(({ value }) => value);
    db.close();
    expect(mark).toHaveLength(1);
    expect(values).toContain(mark[0]);
  },
);

shortOnly(it)('plans what it has begun to write', async () => {
  const batch = await startImport();
  expect(await batch.plan(2)).toMatchObject({ created: 5, updated: 0, changes: [{ line: 1 }, { line: 2 }] });
  expect(await readAll()).toEqual(new Map());
  await batch.add(aBatch(1, 'third'));
  expect(await batch.commit()).toMatchObject({ created: 6 });
});

shortOnly(it)('takes everything back when it is discarded, or the store closed', async () => {
  await (await startImport()).discard();
  expect(isWriting(directory)).toBe(false);
  await startImport();
  await store.close();
  store = await createSqliteStore({ directory });
  expect(await store.head(station)).toMatchObject({ number: 0 });
  expect(await countResources(store)).toBe(0);
  expect(await put(store, aBatch(3_000))).toMatchObject({ created: 3_000, head: { number: 1 } });
});

shortOnly(it)('leaves nothing behind when its process is killed', async () => {
  await store.close();
  const program = fileURLToPath(new URL('../testing/killed-import-program.ts', import.meta.url));
  const { signal, stderr } = spawnSync(process.execPath, [program, directory], { encoding: 'utf8' });
  expect(signal, stderr).toBe('SIGKILL');
  store = await createSqliteStore({ directory });
  expect(await store.head(station)).toMatchObject({ number: 0 });
  expect(await countResources(store)).toBe(0);
  expect(await put(store, aBatch(3_000))).toMatchObject({ created: 3_000, head: { number: 1 } });
});

type Step = 'one' | 'two' | 'write' | 'plan' | 'types';

it('ends alike, whatever comes between the records of two imports', async () => {
  const aStep = fc.constantFrom<Step>('one', 'one', 'one', 'two', 'write', 'plan', 'types');
  let round = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { maxLength: 12 }), fc.boolean(), async (steps, twoIsFirst) => {
      const address = { ...station, name: `station-${round++}` };
      await store.createStation(address);
      const batches = new Map<string, Batch>();
      const sizes: Record<string, number> = {};
      const add = async (name: string) => {
        const batch = batches.get(name) ?? (await store.openBatch(address));
        batches.set(name, batch);
        const before = sizes[name] ?? 0;
        sizes[name] = before + 3;
        await batch.add(aBatch(before + 3, name).slice(before));
      };
      const commit = async (name: string) => {
        const expected = { created: sizes[name], updated: 0, unchanged: 0 };
        expect(await batches.get(name)?.commit()).toMatchObject(expected);
        batches.delete(name);
      };
      for (const [at, step] of steps.entries()) {
        if (step === 'plan') {
          expect(await batches.get('one')?.plan(0)).toEqual(
            batches.has('one') ? expect.objectContaining({ created: sizes.one }) : undefined,
          );
        } else if (step === 'types') {
          await store.putTypes([{ key: 'resource_type.b', labels: {}, product: '', alertable: true }]);
        } else if (step === 'write') {
          await add(`write-${at}`);
          await commit(`write-${at}`);
        } else await add(step);
      }
      const left = [...batches.keys()].sort();
      for (const name of twoIsFirst ? left.reverse() : left) await commit(name);
      const { counts } = (await store.station(address))!;
      expect(counts.resources).toBe(Object.values(sizes).reduce((sum, size) => sum + size, 0));
    }),
    { numRuns: scale(20, 100) },
  );
});
