import { randomBytes } from 'node:crypto';
import { createWriteStream, rmSync, type Stats } from 'node:fs';
import { readlink, realpath, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandError } from './errors.ts';

type Parts = AsyncIterable<Uint8Array>;

/**
 * A file is there completely or, whatever happens, as it was before. A link stays one and its target is replaced;
 * a device or a pipe is written into, as there is nothing to replace.
 */
export async function writeWhole(parts: Parts, file: string): Promise<void> {
  try {
    const found = await unlessMissing(stat(file));
    if (found?.isDirectory()) throw new CommandError(`cannot write ${file}: it is a directory`);
    if (found === undefined || found.isFile()) await replace(parts, await targetOf(file), found);
    else await pipeline(readable(parts), createWriteStream(file));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined || !/^E[A-Z]+$/.test(code)) throw error;
    throw new CommandError(`cannot write ${file}: ${message}`, { cause: error });
  }
}

async function replace(parts: Parts, file: string, found: Stats | undefined): Promise<void> {
  const temporary = `${file}.${randomBytes(4).toString('hex')}.part`;
  const discard = () => rmSync(temporary, { force: true });
  const mode = found === undefined ? {} : { mode: found.mode };
  process.once('exit', discard);
  try {
    await pipeline(readable(parts), createWriteStream(temporary, { flush: true, ...mode }));
    await rename(temporary, file);
  } catch (error) {
    discard();
    throw error;
  } finally {
    process.off('exit', discard);
  }
}

/** Where links lead to in the end, also when nothing is there yet. */
async function targetOf(file: string): Promise<string> {
  const real = await unlessMissing(realpath(file));
  if (real !== undefined) return real;
  const link = await readlink(file).catch(() => undefined);
  return link === undefined ? file : targetOf(path.resolve(await realpath(path.dirname(file)), link));
}

function readable(parts: Parts): Readable {
  return Readable.from(parts, { objectMode: false });
}

async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
