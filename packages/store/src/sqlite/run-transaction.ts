import type { DatabaseSync } from 'node:sqlite';

/** Commits what `body` did, or rolls all of it back when it or the commit throws. */
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

/** Some errors, a full disk among them, have already ended the transaction. */
export function rollBack(db: DatabaseSync): void {
  if (db.isTransaction) db.exec('ROLLBACK');
}
