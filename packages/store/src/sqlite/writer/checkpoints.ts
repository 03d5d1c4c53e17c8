import type { DatabaseSync } from 'node:sqlite';
import { pageSize, withBusyTimeout } from '../database/open-database.ts';
import { getRow } from '../database/rows.ts';

/** A small write leaves about ten pages in the log. Checkpoints at 8 MiB took as long as the writes themselves. */
const duePages = (32 * 1024 * 1024) / pageSize;
const tooManyPages = (256 * 1024 * 1024) / pageSize;
const waitForReadersMs = 250;
const betweenWaitsMs = 10_000;

/** In pages. */
interface LogState {
  readonly log: number;
  readonly checkpointed: number;
}

/**
 * Copies a grown write-ahead log into the database, after writes were acknowledged rather than inside them. A
 * log that readers have long kept from being reused is truncated by waiting briefly for them.
 */
export class Checkpoints {
  #waitedAtMs = Number.NEGATIVE_INFINITY;

  runIfDue(db: DatabaseSync): void {
    try {
      // The size of the file says nothing: it keeps its size when the log begins anew.
      const { log, checkpointed } = getRow<LogState>(db, 'PRAGMA wal_checkpoint(NOOP)')!;
      if (log - checkpointed >= duePages) db.exec('PRAGMA wal_checkpoint(PASSIVE)');
      if (log >= tooManyPages && performance.now() - this.#waitedAtMs >= betweenWaitsMs) this.#emptyLog(db);
    } catch {
      // Nothing is lost: the log keeps what could not be copied, and the next write retries.
    }
  }

  #emptyLog(db: DatabaseSync): void {
    this.#waitedAtMs = performance.now();
    withBusyTimeout(db, waitForReadersMs, () => db.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
  }
}
