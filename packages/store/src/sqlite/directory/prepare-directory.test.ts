import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createSqliteStore } from '../main/create-sqlite-store.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { prepareDirectory } from './prepare-directory.ts';

it('creates the directory with its parents', () => {
  const directory = join(temporaryDirectory(), 'a', 'b');
  prepareDirectory(directory);
  expect(existsSync(directory)).toBe(true);
  prepareDirectory(directory);
});

it('refuses a file, also as a parent', () => {
  const file = join(temporaryDirectory(), 'file');
  writeFileSync(file, '');
  for (const path of [file, join(file, 'below')]) {
    expect(() => prepareDirectory(path)).toThrow(`the data directory ${path} is not a directory`);
  }
});

it.runIf(process.platform === 'linux')('refuses a file system that takes no directories', () => {
  for (const path of ['/proc/roster', '/proc/roster/data']) {
    expect(() => prepareDirectory(path)).toThrow(`the data directory ${path} cannot be created there`);
  }
});

it.runIf(process.platform === 'linux')('refuses a place that nobody can write to', () => {
  expect(() => prepareDirectory('/sys/roster')).toThrow(
    /^the data directory \/sys\/roster is (not writable for this user|on a file system that is mounted read-only)$/,
  );
});

it('keeps all files of a store from others, whatever the rights of the directory', async () => {
  const directory = temporaryDirectory();
  chmodSync(directory, 0o755);
  const store = await createSqliteStore({ directory });
  await store.createStation({ subscription: 's', resourceGroup: 'g', zone: 'z', name: 't' });
  const modes = readdirSync(directory).map((name) => [name, statSync(join(directory, name)).mode & 0o007]);
  await store.close();
  expect(modes.map(([name]) => name)).toContain('roster.db-wal');
  expect(modes.filter(([, mode]) => mode !== 0)).toEqual([]);
});
