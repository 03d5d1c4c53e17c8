import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { longOnly, shortOnly } from '../../../../../testing/scale.ts';
import { station } from '../../testing/station-data.ts';
import { createSqliteStore } from '../main/create-sqlite-store.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { lockDirectory } from './directory-lock.ts';

shortOnly(it)('lets one holder in and tells the next one who holds the directory', () => {
  const directory = temporaryDirectory();
  const lock = lockDirectory(directory);
  expect(() => lockDirectory(directory)).toThrow(
    `the data directory ${directory} is in use by process ${process.pid}`,
  );
  expect(() => lockDirectory(directory)).toThrow(expect.objectContaining({ code: 'store_unavailable' }));
  lock.release();
  lockDirectory(directory).release();
});

shortOnly(it)('is free again as soon as its holder was killed', async () => {
  const directory = temporaryDirectory();
  const file = new URL('./directory-lock.ts', import.meta.url).href;
  const program = `
    const { lockDirectory } = await import(${JSON.stringify(file)});
    globalThis.lock = lockDirectory(${JSON.stringify(directory)});
    console.log('locked');
    setInterval(() => {}, 1000);
  `;
  const holder = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  expect(() => lockDirectory(directory)).toThrow(`process ${holder.pid}`);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  lockDirectory(directory).release();
});

shortOnly(it)(
  'keeps a second store out of a directory and lets it in after the first was closed',
  async () => {
    const directory = temporaryDirectory();
    const first = await createSqliteStore({ directory });
    await expect(createSqliteStore({ directory })).rejects.toThrow(`${directory} is in use by process`);
    await first.close();
    await (await createSqliteStore({ directory })).close();
  },
);

longOnly(it)(
  'keeps a second store out although the lock file was deleted, also one that only reads',
  async () => {
    const directory = temporaryDirectory();
    const first = await createSqliteStore({ directory });
    rmSync(join(directory, 'roster.lock'));
    const refused = 'roster.db is open in another process';
    await expect(createSqliteStore({ directory })).rejects.toThrow(refused);
    await expect(createSqliteStore({ directory, readOnly: true })).rejects.toThrow(refused);
    await expect(createSqliteStore({ directory })).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(await first.createStation(station)).toMatchObject({ created: true });
    await first.close();
    const next = await createSqliteStore({ directory });
    expect(next.head(station)).toBeDefined();
    await next.close();
  },
);

longOnly(it)('does not mind others who read, under the lock file that it had before', async () => {
  const directory = temporaryDirectory();
  await (await createSqliteStore({ directory })).close();
  const reader = new DatabaseSync(join(directory, 'roster.db'), { readOnly: true });
  reader.exec('BEGIN; SELECT * FROM stations');
  const store = await createSqliteStore({ directory });
  await store.createStation(station);
  await store.close();
  reader.close();
});
