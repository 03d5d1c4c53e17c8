import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { createSqliteStore } from '../main/create-sqlite-store.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { migrate, migrations } from './migrations.ts';
import { isAtLeast } from './open-database.ts';

it('brings an empty database to the newest version, once', () => {
  const db = new DatabaseSync(':memory:');
  migrate(db, 'roster.db');
  const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
  expect(version).toBeGreaterThan(0);
  migrate(db, 'roster.db');
  db.close();
});

it('refuses a database that a newer version has written, and leaves it alone', async () => {
  const directory = temporaryDirectory();
  await (await createSqliteStore({ directory })).close();
  const file = join(directory, 'roster.db');
  const newest = migrations.length;
  setVersion(file, 4711);
  const opening = createSqliteStore({ directory });
  await expect(opening).rejects.toMatchObject({ code: 'store_unavailable' });
  await expect(opening).rejects.toThrow(`${file} has schema version 4711, this Roster knows versions up to`);
  setVersion(file, newest);
  await (await createSqliteStore({ directory })).close();
});

it('refuses a file that is no database', async () => {
  const directory = temporaryDirectory();
  writeFileSync(
    join(directory, 'roster.db'),
    'This is a text, much longer than the header of a database. '.repeat(20),
  );
  await expect(createSqliteStore({ directory })).rejects.toMatchObject({
    code: 'store_unavailable',
    message: `the database in ${directory} is not one of SQLite; restore a backup`,
  });
});

it('compares versions of SQLite by number', () => {
  expect(isAtLeast('3.38.0', '3.38.0')).toBe(true);
  expect(isAtLeast('3.100.1', '3.38.0')).toBe(true);
  expect(isAtLeast('4.0.0', '3.38.0')).toBe(true);
  expect(isAtLeast('3.37.9', '3.38.0')).toBe(false);
  expect(isAtLeast('3.4.0', '3.38.0')).toBe(false);
});

function setVersion(file: string, version: number): void {
  const db = new DatabaseSync(file);
  db.exec(`PRAGMA user_version = ${version}`);
  db.close();
}
