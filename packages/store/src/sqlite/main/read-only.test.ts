import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { aBatch, aToken, countResources, put, station } from '../../testing/station-data.ts';
import { migrations } from '../database/migrations.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { writeVersion1Database } from '../testing/version-1-database.ts';
import { createSqliteStore } from './create-sqlite-store.ts';

let directory: string;

beforeEach(() => {
  directory = temporaryDirectory();
});

async function fill(): Promise<void> {
  const store = await createSqliteStore({ directory });
  await store.createStation(station);
  await put(store, aBatch(1_500));
  await store.tokens.add(aToken('a'));
  await store.close();
}

async function openReadOnly() {
  const store = await createSqliteStore({ directory, readOnly: true });
  onTestFinished(() => store.close());
  return store;
}

function fingerprint(): string[] {
  return ['roster.db', 'roster.generation'].map((name) =>
    createHash('sha256')
      .update(readFileSync(join(directory, name)))
      .digest('hex'),
  );
}

it('shows everything, and leaves the files of the data as they are', async () => {
  await fill();
  const before = fingerprint();
  const store = await openReadOnly();
  expect(await countResources(store)).toBe(1_500);
  expect((await store.station(station))?.counts.resources).toBe(1_500);
  expect((await store.catalog()).types.size).toBe(1);
  expect(await store.tokens.list()).toEqual([aToken('a')]);
  expect((await store.digest(station)).digest).toMatch(/^1500:/);
  await store.close();
  expect(fingerprint()).toEqual(before);
});

it('accepts no writes', async () => {
  await fill();
  const store = await openReadOnly();
  const refused = { message: 'the store is read-only' };
  await expect(store.createStation(station)).rejects.toMatchObject(refused);
  await expect(store.openBatch(station)).rejects.toMatchObject(refused);
  await expect(store.deleteStation(station)).rejects.toMatchObject(refused);
  await expect(store.tokens.add(aToken('b'))).rejects.toMatchObject(refused);
  await expect(store.compactHistory(0)).rejects.toMatchObject(refused);
});

it('keeps a server out, and is kept out by one', async () => {
  await fill();
  const reader = await openReadOnly();
  await expect(createSqliteStore({ directory })).rejects.toThrow(/is in use by process \d+/);
  await reader.close();
  const server = await createSqliteStore({ directory });
  await expect(openReadOnly()).rejects.toThrow(/is in use by process \d+; stop it first/);
  await server.close();
});

it('has the same epochs afterwards', async () => {
  await fill();
  const reader = await openReadOnly();
  const head = await reader.head(station);
  await reader.close();
  const store = await createSqliteStore({ directory });
  expect(await store.head(station)).toEqual(head);
  await store.close();
});

it('asks for a migration instead of making one, and does not open what a newer version has written', async () => {
  writeVersion1Database(directory);
  await expect(openReadOnly()).rejects.toThrow(
    `roster.db has schema version 1, but reading it needs version ${migrations.length}; run roster migrate first`,
  );
  const db = new DatabaseSync(join(directory, 'roster.db'));
  expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 });
  db.exec('PRAGMA user_version = 99');
  db.close();
  await expect(openReadOnly()).rejects.toThrow(/has schema version 99, this Roster knows versions up to/);
});

it('makes no inventory where there is none', async () => {
  const missing = join(directory, 'missing');
  await expect(createSqliteStore({ directory: missing, readOnly: true })).rejects.toThrow(
    `there is no inventory in ${missing}`,
  );
  expect(existsSync(missing)).toBe(false);
  await expect(openReadOnly()).rejects.toThrow('it has no file roster.db');
  const file = join(directory, 'file');
  writeFileSync(file, '');
  await expect(createSqliteStore({ directory: file, readOnly: true })).rejects.toThrow('is not a directory');
  writeFileSync(join(directory, 'roster.db'), '');
  await expect(openReadOnly()).rejects.toThrow('has no inventory');
});
