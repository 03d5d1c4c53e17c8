import type { DatabaseSync } from 'node:sqlite';

/** Commits what `body` did, or rolls it back when anything throws. */
export function runTransaction<T>(db: DatabaseSync, body: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = body();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(db);
    throw error;
  }
}

/** Some errors, such as a full disk, have already ended the transaction. */
export function rollBack(db: DatabaseSync): void {
  if (db.isTransaction) db.exec('ROLLBACK');
}

const busy = 5;

/** Whether another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  return (((error as { errcode?: number }).errcode ?? 0) & 0xff) === busy;
}
