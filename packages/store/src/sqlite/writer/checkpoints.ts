import type { DatabaseSync } from 'node:sqlite';
import { pageSize, withBusyTimeout } from '../database/open-database.ts';
import { getRow } from '../database/rows.ts';
import { WorkerChannel } from '../threads/worker-channel.ts';
import type { CheckpointData, CheckpointHandlers } from './checkpoint-thread.ts';

const checkpointThread = new URL('./checkpoint-thread.ts', import.meta.url);

/** Checkpoints at 8 MiB took as long as the writes themselves. */
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
 * Copies a grown write-ahead log into the database. Most of it is copied by a thread of its own, beside the writes: they
 * would wait 17 to 50 ms for it. A log that readers have long kept from being reused is truncated by waiting briefly
 * for them.
 */
export class Checkpoints {
  /** Starts when it is first needed. */
  readonly #thread: WorkerChannel<CheckpointHandlers>;
  #isCopying = false;
  #waitedAtMs = Number.NEGATIVE_INFINITY;

  constructor(data: CheckpointData) {
    this.#thread = new WorkerChannel(checkpointThread, data, new Promise(() => undefined));
  }

  runIfDue(db: DatabaseSync): void {
    try {
      // The size of the file says nothing: it keeps its size when the log begins anew.
      const { log, checkpointed } = getRow<LogState>(db, 'PRAGMA wal_checkpoint(NOOP)')!;
      const mayWait = performance.now() - this.#waitedAtMs >= betweenWaitsMs;
      if (this.#isCopying) return;
      if (log - checkpointed >= duePages) void this.#copyLog(db);
      else if (log >= tooManyPages && mayWait) this.#emptyLog(db);
    } catch {
      // Nothing is lost: the log keeps what could not be copied, and the next write retries.
    }
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  /** The log can only begin anew when all of it is copied, so nothing may be written during the rest. */
  async #copyLog(db: DatabaseSync): Promise<void> {
    this.#isCopying = true;
    await this.#thread.request('copyLog').catch(() => undefined);
    this.#isCopying = false;
    try {
      if (db.isOpen) db.exec('PRAGMA wal_checkpoint(PASSIVE)');
    } catch {
      // As above.
    }
  }

  #emptyLog(db: DatabaseSync): void {
    this.#waitedAtMs = performance.now();
    withBusyTimeout(db, waitForReadersMs, () => db.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
  }
}
