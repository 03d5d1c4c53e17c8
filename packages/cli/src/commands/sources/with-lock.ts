import { rmSync } from 'node:fs';
import { readFile, realpath, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '../../command/errors.ts';

const patienceMs = 5_000;
const lookAgainMs = 50;
const endings = ['SIGTERM', 'SIGHUP'] as const;

/** Lets one command at a time edit a file, by a lock file beside it. */
export async function withLock<T>(file: string, edit: () => Promise<T>): Promise<T> {
  const lock = `${await realpath(file)}.lock`;
  await take(file, lock);
  const release = () => rmSync(lock, { force: true });
  const stop = () => process.exit(1);
  process.once('exit', release);
  for (const signal of endings) process.once(signal, stop);
  try {
    return await edit();
  } finally {
    for (const signal of endings) process.off(signal, stop);
    process.off('exit', release);
    release();
  }
}

async function take(file: string, lock: string): Promise<void> {
  const untilMs = performance.now() + patienceMs;
  for (;;) {
    try {
      return await writeFile(lock, `${process.pid}\n`, { flag: 'wx' });
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== 'EEXIST') throw new CommandError(`cannot edit ${file}: ${message}`, { cause: error });
      if (performance.now() > untilMs) throw new CommandError(await explainLock(file, lock));
    }
    await sleep(lookAgainMs);
  }
}

async function explainLock(file: string, lock: string): Promise<string> {
  const holder = Number(await readFile(lock, 'utf8').catch(() => ''));
  const who = holder > 0 ? `another command (process ${holder})` : 'another command';
  return `${who} is editing ${file}; if it is not running any more, delete ${lock}`;
}
