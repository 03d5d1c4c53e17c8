import { randomBytes } from 'node:crypto';
import { createWriteStream, rmSync, type Stats } from 'node:fs';
import { chmod, chown, readlink, realpath, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandError, fileReason } from '../command/errors.ts';

type Chunks = AsyncIterable<Uint8Array>;

/**
 * Replaces a file completely or, after any failure, leaves it as it was. Links are followed to their target;
 * devices and pipes are written to directly.
 */
export async function writeFileAtomically(chunks: Chunks, file: string): Promise<void> {
  try {
    const found = await unlessMissing(stat(file));
    if (found?.isDirectory()) throw new CommandError(`cannot write ${file}: it is a directory`);
    if (found === undefined || found.isFile()) await replace(chunks, await targetOf(file), found);
    else await pipeline(readable(chunks), createWriteStream(file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || !/^E[A-Z]+$/.test(code)) throw error;
    throw new CommandError(`cannot write ${file}: ${fileReason(error)}`, { cause: error });
  }
}

async function replace(chunks: Chunks, file: string, found: Stats | undefined): Promise<void> {
  const temporary = `${file}.${randomBytes(4).toString('hex')}.part`;
  const discard = () => rmSync(temporary, { force: true });
  const mode = found === undefined ? {} : { mode: found.mode };
  process.once('exit', discard);
  try {
    await pipeline(readable(chunks), createWriteStream(temporary, { flush: true, ...mode }));
    if (found !== undefined) await keepAccess(temporary, found);
    await rename(temporary, file);
  } catch (error) {
    discard();
    throw error;
  } finally {
    process.off('exit', discard);
  }
}

/** The umask may have taken permissions away, and somebody else may own the file and have to read it. */
async function keepAccess(file: string, { uid, gid, mode }: Stats): Promise<void> {
  await chown(file, uid, gid).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPERM') throw error;
  });
  await chmod(file, mode);
}

/** Follows links, also to a target that does not exist yet. */
async function targetOf(file: string): Promise<string> {
  const real = await unlessMissing(realpath(file));
  if (real !== undefined) return real;
  const link = await readlink(file).catch(() => undefined);
  return link === undefined ? file : targetOf(path.resolve(await realpath(path.dirname(file)), link));
}

function readable(chunks: Chunks): Readable {
  return Readable.from(chunks, { objectMode: false });
}

async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
