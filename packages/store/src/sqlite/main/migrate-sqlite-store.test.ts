import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { station } from '../../testing/station-data.ts';
import { migrations } from '../database/migrations.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { head, writeVersion1Database } from '../testing/version-1-database.ts';
import { createSqliteStore } from './create-sqlite-store.ts';
import { migrateSqliteStore } from './migrate-sqlite-store.ts';

const newest = migrations.length;

it('brings a database up to date once, and tells from where to where', async () => {
  const directory = temporaryDirectory();
  writeVersion1Database(directory);
  expect(migrateSqliteStore({ directory })).toEqual({ from: 1, to: newest });
  expect(migrateSqliteStore({ directory })).toEqual({ from: newest, to: newest });
  const store = await createSqliteStore({ directory });
  expect(await store.head(station)).toEqual(head);
  await store.close();
});

it('has nothing to do beside a server, which has brought the data up to date itself', async () => {
  const directory = temporaryDirectory();
  const store = await createSqliteStore({ directory });
  expect(migrateSqliteStore({ directory })).toEqual({ from: newest, to: newest });
  await store.createStation(station);
  await store.close();
});

it('does not change data under a server of an older version', async () => {
  const directory = temporaryDirectory();
  const store = await createSqliteStore({ directory });
  const db = new DatabaseSync(join(directory, 'roster.db'));
  db.exec('PRAGMA user_version = 2');
  expect(() => migrateSqliteStore({ directory })).toThrow(/is in use by process \d+; stop it first/);
  expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: 2 });
  db.close();
  await store.close();
});

it('leaves alone what a newer version has written, and makes nothing where there is nothing', async () => {
  const directory = temporaryDirectory();
  await (await createSqliteStore({ directory })).close();
  const db = new DatabaseSync(join(directory, 'roster.db'));
  db.exec('PRAGMA user_version = 99');
  db.close();
  expect(() => migrateSqliteStore({ directory })).toThrow(
    'has schema version 99, this Roster knows versions up',
  );
  const missing = join(directory, 'missing');
  expect(() => migrateSqliteStore({ directory: missing })).toThrow(`there is no inventory in ${missing}`);
  expect(existsSync(missing)).toBe(false);
});
