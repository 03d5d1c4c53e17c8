import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { longOnly, shortOnly } from '../../../../../testing/scale.ts';
import { aBatch, countResources, put, station } from '../../testing/station-data.ts';
import { openForReading, openForWriting } from '../database/open-database.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { createSqliteStore } from './create-sqlite-store.ts';

shortOnly(it)('has what was acknowledged, and nothing else, after its process was killed', async () => {
  const directory = temporaryDirectory();
  const program = fileURLToPath(new URL('../testing/abrupt-exit-program.ts', import.meta.url));
  const { signal, stderr } = spawnSync(process.execPath, [program, directory], { encoding: 'utf8' });
  expect(signal, stderr).toBe('SIGKILL');
  const store = await createSqliteStore({ directory });
  const { epoch, number } = store.head(station) as { epoch: string; number: number };
  expect(number).toBe(1);
  expect(await countResources(store)).toBe(500);
  await store.close();
  const again = await createSqliteStore({ directory });
  expect(again.head(station)).toMatchObject({ epoch, number });
  await again.close();
});

shortOnly(it)('syncs every commit to the disk', () => {
  const directory = temporaryDirectory();
  const db = openForWriting(join(directory, 'roster.db'));
  expect(db.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
  expect(db.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
  db.close();
});

shortOnly(it)('reads without temporary files, for which a full disk has no room', async () => {
  const directory = temporaryDirectory();
  const store = await createSqliteStore({ directory });
  await store.close();
  const db = openForReading(join(directory, 'roster.db'));
  expect(db.prepare('PRAGMA temp_store').get()).toEqual({ temp_store: 2 });
  db.close();
});

longOnly(it)('keeps the write-ahead log small while it writes and removes it at the end', async () => {
  const directory = temporaryDirectory();
  const log = join(directory, 'roster.db-wal');
  const store = await createSqliteStore({ directory });
  await store.createStation(station);
  for (let round = 0; round < 12; round++) await put(store, aBatch(5_000, 'vm', `${round}`.repeat(500)));
  expect(statSync(log).size).toBeLessThan(64 * 1024 * 1024);
  await store.close();
  expect(statSync(log, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
});

shortOnly(it)('holds no read transaction after feeds were left early', async () => {
  const directory = temporaryDirectory();
  const store = await createSqliteStore({ directory });
  await store.createStation(station);
  await put(store, aBatch(5_000));
  for (let round = 0; round < 10; round++) {
    const feed = await store.feed(station);
    for await (const _ of feed.chunks) break;
  }
  await (await store.feed(station)).chunks[Symbol.asyncIterator]().return?.();
  const probe = new DatabaseSync(join(directory, 'roster.db'));
  expect(probe.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()).toMatchObject({ busy: 0 });
  probe.close();
  await store.close();
});

shortOnly(it)('holds no read transaction for a feed that waits to be taken but is read', async () => {
  const directory = temporaryDirectory();
  const store = await createSqliteStore({ directory });
  await store.createStation(station);
  await put(store, aBatch(5_000));
  const { chunks } = await store.feed(station);
  await put(store, aBatch(10, 'later'));
  const probe = new DatabaseSync(join(directory, 'roster.db'));
  await expect.poll(() => probe.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()).toMatchObject({ busy: 0 });
  probe.close();
  let count = 0;
  for await (const { put } of chunks) count += put.length;
  expect(count).toBe(5_000);
  await store.close();
});

shortOnly(it)('reports conflicts of an import that is large enough to be written early', async () => {
  const directory = temporaryDirectory();
  const store = await createSqliteStore({ directory });
  await store.createStation(station);
  const records = aBatch(12_000);
  records.push({ line: 12_001, record: { ...records[5]!.record, resourceId: 'another' } });
  await expect(put(store, records)).rejects.toMatchObject({
    code: 'invalid_records',
    extensions: { fault_count: 1, faults: [{ line: 12_001, field: 'name' }] },
  });
  expect(await countResources(store)).toBe(0);
  expect((await put(store, aBatch(12_000))).created).toBe(12_000);
  await expect(
    put(store, [{ line: 1, record: { ...records[5]!.record, resourceId: 'x' } }]),
  ).rejects.toThrow();
  await store.close();
});
