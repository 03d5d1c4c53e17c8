import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { RosterError } from '@roster/contract';
import { createPrivately } from './prepare-directory.ts';

const busy = 5;

/**
 * Held for as long as the returned connection is open. The operating system releases it when the process
 * ends in whatever way, which a lock file with a process id in it does not achieve.
 */
export function lockDirectory(directory: string): { release(): void } {
  const file = join(directory, 'roster.lock');
  createPrivately(file);
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    db.exec('BEGIN IMMEDIATE');
    db.exec('CREATE TABLE IF NOT EXISTS holder (pid INTEGER NOT NULL); DELETE FROM holder');
    db.prepare('INSERT INTO holder VALUES (?)').run(process.pid);
    db.exec('COMMIT');
    // A reserved lock keeps other holders out, yet lets them read who holds it.
    db.exec('BEGIN IMMEDIATE');
  } catch (error) {
    const holder = isBusy(error) ? readHolder(db) : undefined;
    db.close();
    throw isBusy(error) ? alreadyLocked(directory, holder, error) : error;
  }
  return { release: () => db.close() };
}

function isBusy(error: unknown): boolean {
  return (((error as { errcode?: number }).errcode ?? 0) & 0xff) === busy;
}

function readHolder(db: DatabaseSync): number | undefined {
  try {
    if (db.isTransaction) db.exec('ROLLBACK');
    const row = db.prepare('SELECT pid FROM holder').get() as { pid: number } | undefined;
    return row?.pid;
  } catch {
    return undefined;
  }
}

function alreadyLocked(directory: string, holder: number | undefined, cause: unknown): RosterError {
  const who = holder === undefined ? 'another process' : `process ${holder}`;
  return new RosterError(
    'store_unavailable',
    `the data directory ${directory} is in use by ${who}; stop it first, or choose another directory`,
    { cause },
  );
}
