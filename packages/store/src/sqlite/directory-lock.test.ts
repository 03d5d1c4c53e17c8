import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { createSqliteStore } from './create-sqlite-store.ts';
import { lockDirectory } from './directory-lock.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';

it('lets one holder in and tells the next one who holds the directory', () => {
  const directory = temporaryDirectory();
  const lock = lockDirectory(directory);
  expect(() => lockDirectory(directory)).toThrow(
    `the data directory ${directory} is in use by process ${process.pid}`,
  );
  expect(() => lockDirectory(directory)).toThrow(expect.objectContaining({ code: 'store_unavailable' }));
  lock.release();
  lockDirectory(directory).release();
});

it('is free again as soon as its holder was killed', async () => {
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

it('keeps a second store out of a directory and lets it in after the first was closed', async () => {
  const directory = temporaryDirectory();
  const first = await createSqliteStore({ directory });
  await expect(createSqliteStore({ directory })).rejects.toThrow(`${directory} is in use by process`);
  await first.close();
  await (await createSqliteStore({ directory })).close();
});
