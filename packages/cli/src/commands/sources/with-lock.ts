import { rmSync } from 'node:fs';
import { realpath, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '../../command/errors.ts';

const patienceMs = 5_000;
const lookAgainMs = 50;

/** Lets one command at a time edit a file, by a lock file beside it. */
export async function withLock<T>(file: string, edit: () => Promise<T>): Promise<T> {
  const lock = `${await realpath(file)}.lock`;
  await take(file, lock);
  const release = () => rmSync(lock, { force: true });
  process.once('exit', release);
  try {
    return await edit();
  } finally {
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
      if (performance.now() > untilMs)
        throw new CommandError(`another command is editing ${file}; if none is, delete ${lock}`);
    }
    await sleep(lookAgainMs);
  }
}
