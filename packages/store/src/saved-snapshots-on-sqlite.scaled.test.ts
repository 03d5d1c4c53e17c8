import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { everything, type StationAddress } from '@roster/contract';
import { Engine, SavedSnapshots, type Snapshot, type Store, TimeSlicer } from '@roster/engine';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { longOnly, shortOnly } from '../../../testing/scale.ts';
import { addChecksumFunctions, sealRows } from './sqlite/database/row-checksums.ts';
import { createSqliteStore } from './sqlite/main/create-sqlite-store.ts';
import { temporaryDirectory } from './sqlite/testing/temporary-directory.ts';
import { noteBuilds } from './testing/note-builds.ts';

const address: StationAddress = { subscription: 's', resourceGroup: 'g', zone: 'z', name: 'large' };
const small: StationAddress = { ...address, name: 'small' };
const size = 10_000;

let directory: string;
let store: Store;
let engine: Engine;
let built: string[];

beforeEach(async () => {
  directory = temporaryDirectory();
  await start();
  await store.createStation(address);
  await put(address, 0, size);
  await engine.read(address);
  expect(built.splice(0)).toEqual(['import']);
});

afterEach(() => store.close());

/** As a server does on what another one has left. */
async function start(limits = { memoryBudgetBytes: 1e9, snapshotRetentionMs: 60_000 }): Promise<void> {
  store = await createSqliteStore({ directory });
  const saved = new SavedSnapshots({
    directory: path.join(directory, 'snapshots'),
    writtenBy: '1',
    onUnreadable: () => built.push('damaged'),
  });
  built = [];
  engine = new Engine(store, {
    ...limits,
    observer: noteBuilds(built),
    saved,
  });
}

async function restart(): Promise<void> {
  await store.close();
  await start();
}

async function put(station: StationAddress, from: number, to: number, sku = ''): Promise<void> {
  const batch = await store.openBatch(station);
  const record = (at: number) => ({
    resourceId: `r-${at}`,
    name: `n-${(at * 7919) % 100_003}`,
    typeKey: 'resource_type.compute.vm',
    sku,
  });
  const lines = Array.from({ length: to - from }, (_, at) => ({ line: at + 1, record: record(from + at) }));
  await batch.add(lines);
  await batch.commit();
}

function save(signal = new AbortController().signal): Promise<void> {
  return engine.save({ slicer: new TimeSlicer(), signal });
}

/** So slowly that what comes next comes while it saves. */
async function saveSlowly(signal = new AbortController().signal): Promise<{ saving: Promise<void> }> {
  const saving = engine.save({ slicer: new TimeSlicer({ sliceMs: 0, restMs: 5 }), signal });
  await expect
    .poll(() => readdirSync(directory, { recursive: true }).join(), { interval: 1 })
    .toContain('.unfinished');
  return { saving };
}

/** Changes the data behind the store's back. */
function execute(sql: string): void {
  const db = new DatabaseSync(path.join(directory, 'roster.db'));
  addChecksumFunctions(db);
  db.exec(sql);
  sealRows(db, 'resources', 'true');
  db.close();
}

/** When each file was written: those that are not written again keep the time they are given here. */
function filesWrittenSinceLastTime(): number {
  const files = readdirSync(path.join(directory, 'snapshots')).map((name) =>
    path.join(directory, 'snapshots', name),
  );
  const written = files.filter((file) => statSync(file).mtimeMs > 0);
  for (const file of files) utimesSync(file, 0, 0);
  return written.length;
}

function sizeOf(snapshot: Snapshot): number {
  return snapshot.select(everything).total;
}

async function expectRead(total: number, ...from: string[]): Promise<void> {
  expect(sizeOf(await engine.read(address))).toBe(total);
  expect(built.splice(0)).toEqual(from);
  expect(await engine.check(address)).toEqual({ outcome: 'consistent' });
}

shortOnly(it)('is built on what was saved, with all that has changed since', async () => {
  await save();
  await restart();
  await expectRead(size, 'saved');
  await put(address, size, size + 10);
  await store.removeResource(address, 'r-7');
  await restart();
  await expectRead(size + 9, 'saved');
  await put(address, 0, 100, 'changed');
  await expectRead(size + 10, 'changes');
});

longOnly(it)('takes nothing that was saved for another history, of the same epoch', async () => {
  const backup = path.join(temporaryDirectory(), 'roster.db');
  const sidecars = temporaryDirectory();
  const marks = ['roster.generation', 'roster.mark'];
  const db = new DatabaseSync(path.join(directory, 'roster.db'));
  db.prepare('VACUUM INTO ?').run(backup);
  db.close();
  for (const name of marks) await copyFile(path.join(directory, name), path.join(sidecars, name));
  const { epoch } = (await store.head(address))!;
  await put(address, size, size + 10);
  await save();
  // Put back with all that could tell.
  await store.close();
  await copyFile(backup, path.join(directory, 'roster.db'));
  for (const name of marks) await copyFile(path.join(sidecars, name), path.join(directory, name));
  for (const name of ['roster.db-wal', 'roster.db-shm']) rmSync(path.join(directory, name), { force: true });
  await start();
  expect(await store.head(address)).toMatchObject({ epoch, number: 1 });
  await expectRead(size, 'whole');
  // The next revision has the number of the one that was saved.
  await put(address, size, size + 3);
  await restart();
  expect(await store.head(address)).toMatchObject({ epoch, number: 2 });
  await expectRead(size + 3, 'whole');
});

longOnly(it)('reads a station anew when the changes since were compacted away', async () => {
  await save();
  await store.removeResource(address, 'r-1');
  await store.compactHistory(0);
  await put(address, size, size + 1);
  await restart();
  await expectRead(size, 'whole');
});

longOnly(it)('forgets what was saved of a station that is deleted', async () => {
  await save();
  await store.deleteStation(address);
  await expect.poll(() => readdirSync(path.join(directory, 'snapshots'))).toEqual([]);
  await store.createStation(address);
  await restart();
  await expectRead(0, 'whole');
});

longOnly(it)('forgets what was saved of a station that differs from the store', async () => {
  await put(address, 0, 1, 'changed');
  await save();
  await restart();
  execute("UPDATE resources SET sku = 'behind the back' WHERE resource_id = 'r-0'");
  await engine.read(address);
  expect(built.splice(0)).toEqual(['saved']);
  expect(await engine.check(address)).toMatchObject({ outcome: 'inconsistent' });
  await expectRead(size, 'whole');
});

shortOnly(it)('saves what is large, and again when a good part of it has changed', async () => {
  await store.createStation(small);
  await put(small, 0, 9_999);
  await engine.read(small);
  await save();
  expect(filesWrittenSinceLastTime()).toBe(1);
  await save();
  await put(address, 0, 20, 'a few');
  await save();
  expect(filesWrittenSinceLastTime()).toBe(0);
  await put(address, 0, 500, 'many');
  await save();
  expect(filesWrittenSinceLastTime()).toBe(1);
  await restart();
  await expectRead(size, 'saved');
});

longOnly(it)('counts what has changed since the save, also across starts', async () => {
  await save();
  filesWrittenSinceLastTime();
  await put(address, 0, 150, 'first');
  await restart();
  await expectRead(size, 'saved');
  await put(address, 150, 300, 'second');
  await save();
  expect(filesWrittenSinceLastTime()).toBe(1);
});

longOnly(it)('ends a save of what was laid out anew meanwhile, and makes up for it', async () => {
  const { saving } = await saveSlowly();
  await put(address, size, size + 9_000);
  await saving;
  expect(filesWrittenSinceLastTime()).toBe(0);
  await save();
  expect(filesWrittenSinceLastTime()).toBe(1);
  await restart();
  await expectRead(size + 9_000, 'saved');
});

longOnly(it)('goes on with a save while little changes, and is then built on it', async () => {
  const { saving } = await saveSlowly();
  await put(address, size, size + 9);
  await saving;
  expect(filesWrittenSinceLastTime()).toBe(1);
  await restart();
  await expectRead(size + 9, 'saved');
});

longOnly(it)('ends a save of a station that is deleted or differs from the store', async () => {
  execute("UPDATE resources SET sku = 'behind the back' WHERE resource_id = 'r-0'");
  const different = await saveSlowly();
  expect(await engine.check(address)).toMatchObject({ outcome: 'inconsistent' });
  await different.saving;
  expect(filesWrittenSinceLastTime()).toBe(0);
  await engine.read(address);
  const deleted = await saveSlowly();
  await store.deleteStation(address);
  await deleted.saving;
  expect(readdirSync(path.join(directory, 'snapshots'))).toEqual([]);
});

longOnly(it)('ends a save of a station that was dropped from memory, when it is deleted', async () => {
  await store.close();
  await start({ memoryBudgetBytes: 1, snapshotRetentionMs: 1 });
  await engine.read(address);
  await sleep(10);
  const { saving } = await saveSlowly();
  engine.tidy();
  expect(engine.size().stations).toBe(0);
  await store.deleteStation(address);
  await saving;
  expect(readdirSync(path.join(directory, 'snapshots'))).toEqual([]);
});

longOnly(it)('saves no station that is deleted while another one is saved', async () => {
  const next = { ...address, name: 'next' };
  await store.createStation(next);
  await put(next, 0, size);
  await engine.read(next);
  const { saving } = await saveSlowly();
  await store.deleteStation(next);
  await saving;
  expect(filesWrittenSinceLastTime()).toBe(1);
  expect(readdirSync(path.join(directory, 'snapshots'))).toHaveLength(1);
});

longOnly(it)('goes on with the next station when one cannot be saved', async () => {
  await save();
  const [name] = readdirSync(path.join(directory, 'snapshots'));
  const inTheWay = path.join(directory, 'snapshots', `${name}.unfinished`);
  mkdirSync(inTheWay);
  const next = { ...address, name: 'next' };
  await store.createStation(next);
  await put(next, 0, size);
  await put(address, 0, 1_000, 'changed');
  await engine.read(next);
  filesWrittenSinceLastTime();
  await expect(save()).rejects.toThrow('EISDIR');
  expect(filesWrittenSinceLastTime()).toBe(1);
  rmSync(inTheWay, { recursive: true });
  await save();
  expect(filesWrittenSinceLastTime()).toBe(1);
});

longOnly(it)('ends a save that nobody waits for, and makes up for it', async () => {
  const abort = new AbortController();
  const { saving } = await saveSlowly(abort.signal);
  const next = save();
  abort.abort();
  await saving;
  expect(filesWrittenSinceLastTime()).toBe(0);
  await next;
  expect(filesWrittenSinceLastTime()).toBe(1);
  await restart();
  await expectRead(size, 'saved');
});

longOnly(it)('saves what has changed little after an hour', async () => {
  await save();
  filesWrittenSinceLastTime();
  await put(address, 0, 1, 'one');
  await save();
  expect(filesWrittenSinceLastTime()).toBe(0);
  const elapsed = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 3_600_001);
  await save();
  elapsed.mockRestore();
  expect(filesWrittenSinceLastTime()).toBe(1);
  await put(address, 0, 1, 'another');
  const elapsedMore = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 3_600_001);
  await save();
  elapsedMore.mockRestore();
  expect(filesWrittenSinceLastTime()).toBe(0);
});

longOnly(it)('goes on without a place to save to, and tells of it', async () => {
  writeFileSync(path.join(directory, 'snapshots'), 'in the way');
  await expect(save()).rejects.toThrow(/EEXIST|ENOTDIR/);
  await expect(save()).rejects.toThrow(/EEXIST|ENOTDIR/);
  await expectRead(size);
  await restart();
  expect(sizeOf(await engine.read(address))).toBe(size);
  expect(built.splice(0).at(-1)).toBe('whole');
  rmSync(path.join(directory, 'snapshots'));
  await save();
  expect(filesWrittenSinceLastTime()).toBe(1);
});
