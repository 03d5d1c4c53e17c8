import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { everything, type StationAddress } from '@roster/contract';
import { Engine, type Store } from '@roster/engine';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { addChecksumFunctions, sealRows } from './sqlite/database/row-checksums.ts';
import { createSqliteStore } from './sqlite/main/create-sqlite-store.ts';
import { temporaryDirectory } from './sqlite/testing/temporary-directory.ts';
import { noteBuilds } from './testing/note-builds.ts';

let directory: string;
let store: Store;
let engine: Engine;
const releases: (() => void)[] = [];
/** How each snapshot was built, in order. */
let built: string[];

beforeEach(async () => {
  directory = temporaryDirectory();
  store = await createSqliteStore({ directory });
  built = [];
  engine = new Engine(store, {
    memoryBudgetBytes: 1e9,
    snapshotRetentionMs: 60_000,
    observer: noteBuilds(built),
  });
});
afterEach(async () => {
  for (const release of releases.splice(0)) release();
  await store.close();
});

async function createStation(name: string): Promise<StationAddress> {
  const address = { subscription: 's', resourceGroup: 'g', zone: 'z', name };
  await store.createStation(address);
  await replace(address, ['first', 'spare']);
  return address;
}

/** If it removes anything, the engine has to ask for what changed. */
async function replace(address: StationAddress, ids: readonly string[]): Promise<void> {
  const batch = await store.openBatch(address, { mode: 'replace' });
  const records = ids.map((id) => ({ resourceId: id, name: id, typeKey: 'resource_type.compute.vm' }));
  await batch.add(records.map((record, at) => ({ line: at + 1, record })));
  await batch.commit();
}

/** Holds back what the store answers to one of its methods. Tells which stations it was asked for, in order. */
function hold(method: 'feed' | 'digest') {
  const gate = Promise.withResolvers<void>();
  releases.push(gate.resolve);
  const asked: string[] = [];
  const answer = store[method].bind(store) as (...given: unknown[]) => Promise<never>;
  vi.spyOn(store, method).mockImplementation(async (...given: unknown[]) => {
    asked.push((given[0] as StationAddress).name);
    const answered = await answer(...given);
    await gate.promise;
    return answered;
  });
  return { asked, release: gate.resolve };
}

/** Changes the data behind the store's back. */
function execute(sql: string): void {
  const db = new DatabaseSync(path.join(directory, 'roster.db'));
  addChecksumFunctions(db);
  db.exec(sql);
  sealRows(db, 'resources', 'true');
  db.close();
}

it('publishes nothing that was being built on an index which turned out to be wrong', async () => {
  const address = await createStation('a');
  await engine.read(address);
  execute("UPDATE resources SET display_name = 'changed' WHERE resource_id = 'first'");
  const digests = hold('digest');
  const checking = engine.check(address);
  await expect.poll(() => digests.asked).toEqual(['a']);
  const feeds = hold('feed');
  const writing = replace(address, ['first', 'second']);
  await expect.poll(() => feeds.asked).toEqual(['a']);
  digests.release();
  expect(await checking).toMatchObject({ outcome: 'inconsistent' });
  feeds.release();
  await writing;
  const snapshot = await engine.read(address);
  expect(snapshot.select(everything).total).toBe(2);
  expect(snapshot.select({ ...everything, displayNamePrefix: 'changed' }).total).toBe(1);
  expect(built).toEqual(['whole', 'changes', 'whole']);
});

it('loads stations in turns of their readers, and follows one that is in memory at once', async () => {
  const [followed, ...ofA] = [
    await createStation('followed'),
    await createStation('a1'),
    await createStation('a2'),
    await createStation('a3'),
  ] as const;
  const ofB = await createStation('b1');
  await engine.read(followed, undefined, 'b');
  const feeds = hold('feed');
  const reads = [...ofA.map((address) => engine.read(address, undefined, 'a'))];
  reads.push(engine.read(ofB, undefined, 'b'));
  const writing = replace(followed, ['first', 'second']);
  await expect.poll(() => feeds.asked).toEqual(['a1', 'a2', 'b1', 'followed']);
  feeds.release();
  await Promise.all([...reads, writing]);
  expect(feeds.asked).toEqual(['a1', 'a2', 'b1', 'followed', 'a3']);
});
