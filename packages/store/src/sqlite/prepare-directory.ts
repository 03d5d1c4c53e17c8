import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { RosterError } from '@roster/contract';

export const privateMode = 0o640;

export function databaseFile(directory: string): string {
  return join(directory, 'roster.db');
}

/** Makes sure that there is a directory to write to, and says what is wrong when there cannot be one. */
export function prepareDirectory(directory: string): void {
  try {
    createDirectory(directory);
    requireUsable(directory);
  } catch (error) {
    throw explain(error as NodeJS.ErrnoException, directory);
  }
}

/** One step after the other: by itself, Node.js tries for ever below `/proc`, where nothing can be created. */
function createDirectory(directory: string): void {
  const parent = dirname(directory);
  if (!existsSync(parent)) createDirectory(parent);
  try {
    mkdirSync(directory, { mode: 0o750 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Makes an empty file that others cannot read, unless it is there. SQLite gives the files beside it the same rights. */
export function createPrivately(file: string): void {
  try {
    closeSync(openSync(file, 'ax', privateMode));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Makes sure that there is a database in the directory, and never makes one where nobody has put it. */
export function requireDatabase(directory: string): void {
  try {
    requireUsable(directory);
    statSync(databaseFile(directory));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') throw explain(error as NodeJS.ErrnoException, directory);
    const message = `there is no inventory in ${directory}: it has no file roster.db`;
    throw new RosterError('store_unavailable', message, { cause: error });
  }
}

/** Reading takes the right to write too: the lock and SQLite's shared memory are files in the directory. */
function requireUsable(directory: string): void {
  if (!statSync(directory).isDirectory()) throw notADirectory(directory);
  accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
}

function explain(error: NodeJS.ErrnoException | RosterError, directory: string): RosterError {
  if (error instanceof RosterError) return error;
  if (error.code === 'EEXIST' || error.code === 'ENOTDIR') return notADirectory(directory, error);
  const reasons: Record<string, string> = {
    EACCES: 'is not writable for this user',
    EPERM: 'is not writable for this user',
    EROFS: 'is on a file system that is mounted read-only',
    ENOENT: 'cannot be created there',
    ENOSPC: 'cannot be created, the disk is full',
  };
  const reason = reasons[error.code ?? ''] ?? `cannot be used: ${error.message}`;
  return new RosterError('store_unavailable', `the data directory ${directory} ${reason}`, { cause: error });
}

function notADirectory(directory: string, cause?: unknown): RosterError {
  return new RosterError('store_unavailable', `the data directory ${directory} is not a directory`, {
    cause,
  });
}
