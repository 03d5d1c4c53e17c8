import { DatabaseSync } from 'node:sqlite';
import { storeUnavailable } from '../../shared/store-errors.ts';
import { addChecksumFunctions } from './row-checksums.ts';

/** Checkpoints that only tell how long the log is need 3.51. */
const minimumSqliteVersion = '3.51.0';

export const pageSize = 8192;
const busyTimeoutMs = 5_000;
/** Small writes go anywhere in a station: with 16 MiB, 100 000 resources took a tenth more processor time. */
const cacheKiB = 64 * 1024;
const largeWriteCacheKiB = 96 * 1024;

/** Opens the writing connection. Checkpoints are not automatic: see `Checkpoints`. */
export function openForWriting(file: string): DatabaseSync {
  // Foreign keys are only documentation. Enforcing them would look up the station for every row, and only
  // this adapter writes.
  const db = new DatabaseSync(file, { timeout: busyTimeoutMs, enableForeignKeyConstraints: false });
  return closeOnError(db, () => {
    requireSqliteVersion(db);
    addChecksumFunctions(db);
    db.exec(`PRAGMA page_size = ${pageSize}`);
    const { journal_mode: mode } = db.prepare('PRAGMA journal_mode = WAL').get() as { journal_mode: string };
    if (mode !== 'wal') {
      throw storeUnavailable(
        `${file} cannot use a write-ahead log (journal mode ${mode}); the data directory must be on a local disk`,
      );
    }
    db.exec(`
      PRAGMA synchronous = FULL;
      PRAGMA wal_autocheckpoint = 0;
      PRAGMA journal_size_limit = ${64 * 1024 * 1024};
      PRAGMA temp_store = FILE;
      PRAGMA temp.journal_mode = MEMORY;
      PRAGMA temp.cache_size = ${-16 * 1024};
      PRAGMA cache_size = ${-cacheKiB};
    `);
    return db;
  });
}

/** Sorts in memory, within bounds, so that reads survive a full disk. */
export function openForReading(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs });
  return closeOnError(db, () => {
    addChecksumFunctions(db);
    db.exec('PRAGMA cache_size = -8192; PRAGMA temp_store = MEMORY');
    return db;
  });
}

/** Closes the connection if `use` throws. */
export function closeOnError<T>(db: DatabaseSync, use: () => T): T {
  try {
    return use();
  } catch (error) {
    db.close();
    throw error;
  }
}

export function withLargeCache<T>(db: DatabaseSync, write: () => T): T {
  takeLargeCache(db);
  try {
    return write();
  } finally {
    restoreCache(db);
  }
}

/** Lets a large write keep its pages in memory. */
export function takeLargeCache(db: DatabaseSync): void {
  db.exec(`PRAGMA cache_size = ${-largeWriteCacheKiB}`);
}

/** Frees the memory of a large write. */
export function restoreCache(db: DatabaseSync): void {
  db.exec(`PRAGMA cache_size = ${-cacheKiB}; PRAGMA shrink_memory`);
}

/** Runs `work` with another limit for waiting until others release the database. */
export function withBusyTimeout(db: DatabaseSync, ms: number, work: () => void): void {
  db.exec(`PRAGMA busy_timeout = ${ms}`);
  try {
    work();
  } finally {
    db.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  }
}

function requireSqliteVersion(db: DatabaseSync): void {
  const { version } = db.prepare('SELECT sqlite_version() AS version').get() as { version: string };
  if (isAtLeast(version, minimumSqliteVersion)) return;
  throw storeUnavailable(
    `Roster needs SQLite ${minimumSqliteVersion} or newer, this Node.js has ${version}; use a newer Node.js`,
  );
}

export function isAtLeast(version: string, minimum: string): boolean {
  const given = version.split('.').map(Number);
  for (const [position, wanted] of minimum.split('.').map(Number).entries()) {
    const part = given[position] ?? 0;
    if (part !== wanted) return part > wanted;
  }
  return true;
}
