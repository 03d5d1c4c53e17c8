import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { withBusyTimeout } from '../database/open-database.ts';

/** A small write leaves about ten pages in the log. Checkpoints at 8 MiB took as long as the writes themselves. */
const dueBytes = 32 * 1024 * 1024;
const tooLargeBytes = 256 * 1024 * 1024;
const waitForReadersMs = 250;
const betweenWaitsMs = 10_000;

/**
 * Copies a grown write-ahead log into the database, after writes were acknowledged rather than inside them. A
 * log that readers have long kept from being reused is truncated by waiting briefly for them.
 */
export class Checkpoints {
  readonly #file: string;
  #waitedAtMs = Number.NEGATIVE_INFINITY;

  constructor(file: string) {
    this.#file = file;
  }

  runIfDue(db: DatabaseSync): void {
    const size = statSync(`${this.#file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    if (size < dueBytes) return;
    const wait = size >= tooLargeBytes && performance.now() - this.#waitedAtMs >= betweenWaitsMs;
    try {
      db.exec('PRAGMA wal_checkpoint(PASSIVE)');
      if (wait) this.#emptyLog(db);
    } catch {
      // Nothing is lost: the log keeps what could not be copied, and the next write retries.
    }
  }

  #emptyLog(db: DatabaseSync): void {
    this.#waitedAtMs = performance.now();
    withBusyTimeout(db, waitForReadersMs, () => db.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
  }
}
