import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { RosterError } from '@roster/contract';
import { storeUnavailable } from '../../shared/store-errors.ts';

export const privateMode = 0o640;

export function databaseFile(directory: string): string {
  return join(directory, 'roster.db');
}

/** Ensures a writable directory, or throws with the reason. */
export function prepareDirectory(directory: string): void {
  try {
    createDirectory(directory);
    requireUsable(directory);
  } catch (error) {
    throw explain(error as NodeJS.ErrnoException, directory);
  }
}

/** Level by level: Node.js recurses forever below `/proc`, where nothing can be created. */
function createDirectory(directory: string): void {
  const parent = dirname(directory);
  if (!existsSync(parent)) createDirectory(parent);
  try {
    mkdirSync(directory, { mode: 0o750 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Creates an empty private file unless it exists. SQLite gives its other files the same mode. */
export function createPrivately(file: string): void {
  try {
    closeSync(openSync(file, 'ax', privateMode));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Requires a database in the directory, and never creates one. */
export function requireDatabase(directory: string): void {
  try {
    requireUsable(directory);
    statSync(databaseFile(directory));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') throw explain(error as NodeJS.ErrnoException, directory);
    const message = `there is no inventory in ${directory}: it has no file roster.db`;
    throw storeUnavailable(message, error);
  }
}

/** Reading needs write access too, for the lock and SQLite's shared memory. */
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
  return storeUnavailable(`the data directory ${directory} ${reason}`, error);
}

function notADirectory(directory: string, cause?: unknown): RosterError {
  return storeUnavailable(`the data directory ${directory} is not a directory`, cause);
}

/**
 * Puts SQLite's temporary files, which may grow as large as the data, on the same disk. SQLite reads the
 * variable once per process, before its first use.
 */
export function useTemporaryDirectory(directory: string): void {
  process.env.SQLITE_TMPDIR ??= directory;
}
