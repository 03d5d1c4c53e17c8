import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { RosterError } from '@roster/contract';
import { storeUnavailable } from '../../shared/store-errors.ts';
import { readMeta } from '../database/meta-table.ts';
import { readSchemaVersion } from '../database/migrations.ts';
import { withBusyTimeout } from '../database/open-database.ts';
import { getRow } from '../database/rows.ts';
import { isBusy, rollBack } from '../database/run-transaction.ts';
import { fileIdentity } from './database-files.ts';
import { createPrivately } from './prepare-directory.ts';

export interface DirectoryLock {
  /** Of the locked file. */
  readonly identity: string;
  release(): void;
}

/**
 * Held while the connection is open. The operating system releases it whenever the process ends, unlike a
 * lock file with a process id.
 */
export function lockDirectory(directory: string): DirectoryLock {
  const file = join(directory, 'roster.lock');
  createPrivately(file);
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    db.exec('BEGIN IMMEDIATE');
    db.exec('CREATE TABLE IF NOT EXISTS holder (pid INTEGER NOT NULL); DELETE FROM holder');
    db.prepare('INSERT INTO holder VALUES (?)').run(process.pid);
    db.exec('COMMIT');
    // A reserved lock keeps other holders out but lets them read who holds it.
    db.exec('BEGIN IMMEDIATE');
  } catch (error) {
    const holder = isBusy(error) ? readHolder(db) : undefined;
    db.close();
    throw isBusy(error) ? alreadyLocked(directory, holder, error) : error;
  }
  return { identity: fileIdentity(file), release: () => db.close() };
}

function readHolder(db: DatabaseSync): number | undefined {
  try {
    rollBack(db);
    return getRow<{ pid: number }>(db, 'SELECT pid FROM holder')?.pid;
  } catch {
    return undefined;
  }
}

function alreadyLocked(directory: string, holder: number | undefined, cause: unknown): RosterError {
  const who = holder === undefined ? 'another process' : `process ${holder}`;
  return storeUnavailable(
    `the data directory ${directory} is in use by ${who}; stop it first, or choose another directory`,
    cause,
  );
}

/**
 * Throws `store_unavailable` when another process has the database open although `roster.lock` is free: the lock file
 * may have been deleted while it was held. The database records the lock file of its last user. Under another one we
 * must be alone with it. SQLite holds a lock on the file while a connection is open, which every store keeps; it ends
 * with the process. Backups hold it too, so it is not required every time.
 *
 * POSIX drops the lock when the process closes any descriptor of the file, so only SQLite may open it here. `db` must
 * be writable; it keeps the lock that others see.
 */
export function requireSoleUse(db: DatabaseSync, file: string, lock: DirectoryLock): void {
  if (wasLastUsedUnder(db, lock)) return;
  try {
    withBusyTimeout(db, waitMs, () => db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE'));
  } catch (error) {
    throw isBusy(error) ? inUse(file, error) : error;
  } finally {
    rollBack(db);
    db.exec('PRAGMA locking_mode = NORMAL');
  }
  // After the next read SQLite is left with a lock that lets others read.
  readSchemaVersion(db);
}

/** For processes that read the database only briefly. */
const waitMs = 1_000;

export const lockKey = 'lock_identity';

export function wasLastUsedUnder(db: DatabaseSync, { identity }: DirectoryLock): boolean {
  return readSchemaVersion(db) > 0 && readMeta(db, lockKey) === identity;
}

function inUse(file: string, cause: unknown): RosterError {
  return storeUnavailable(
    `${file} is open in another process, and roster.lock is not the file that its last user held: ` +
      'if that file was deleted, a server may still be running; stop it, or wait until a backup has ended',
    cause,
  );
}
