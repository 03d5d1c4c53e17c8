import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

const dueBytes = 8 * 1024 * 1024;
const tooLargeBytes = 256 * 1024 * 1024;
const waitForReadersMs = 250;

/**
 * Copies the write-ahead log into the database once it has grown. Runs after writes were acknowledged
 * instead of inside them, as SQLite would do it. A log that readers have kept from being reused for long
 * is emptied by waiting a moment for them.
 */
export function checkpointIfDue(db: DatabaseSync, file: string): void {
  const size = logBytes(file);
  if (size < dueBytes) return;
  try {
    if (size < tooLargeBytes) db.exec('PRAGMA wal_checkpoint(PASSIVE)');
    else {
      const { timeout } = db.prepare('PRAGMA busy_timeout').get() as { timeout: number };
      db.exec(`PRAGMA busy_timeout = ${waitForReadersMs}; PRAGMA wal_checkpoint(TRUNCATE)`);
      db.exec(`PRAGMA busy_timeout = ${timeout}`);
    }
  } catch {
    // Nothing is lost: the log keeps what could not be copied, and the next write tries again.
  }
}

function logBytes(file: string): number {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}
