import { DatabaseSync } from 'node:sqlite';
import { RosterError } from '@roster/contract';

/** STRICT tables need 3.37, JSON functions that are always there 3.38. */
const minimumSqliteVersion = '3.38.0';

const pageSize = 8192;
const busyTimeoutMs = 5_000;
const cacheKiB = 16 * 1024;
const largeWriteCacheKiB = 96 * 1024;

/** The connection that writes. Checkpoints are not automatic: see `Checkpoints`. */
export function openForWriting(file: string): DatabaseSync {
  // Foreign keys are declared for people who read the schema. Enforcing them would look up the station
  // once for every row of a batch, and only this adapter writes.
  const db = new DatabaseSync(file, { timeout: busyTimeoutMs, enableForeignKeyConstraints: false });
  try {
    requireSqliteVersion(db);
    db.exec(`PRAGMA page_size = ${pageSize}`);
    const { journal_mode: mode } = db.prepare('PRAGMA journal_mode = WAL').get() as { journal_mode: string };
    if (mode !== 'wal') {
      throw new RosterError(
        'store_unavailable',
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
  } catch (error) {
    db.close();
    throw error;
  }
}

/** What it sorts is bounded and stays in memory, so that a full disk does not keep anyone from reading. */
export function openForReading(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs });
  try {
    db.exec('PRAGMA cache_size = -8192; PRAGMA temp_store = MEMORY');
    return db;
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

/** Gives a large write room to keep the pages it touches in memory. */
export function takeLargeCache(db: DatabaseSync): void {
  db.exec(`PRAGMA cache_size = ${-largeWriteCacheKiB}`);
}

/** Gives the memory back that a large write had. */
export function restoreCache(db: DatabaseSync): void {
  db.exec(`PRAGMA cache_size = ${-cacheKiB}; PRAGMA shrink_memory`);
}

function requireSqliteVersion(db: DatabaseSync): void {
  const { version } = db.prepare('SELECT sqlite_version() AS version').get() as { version: string };
  if (isAtLeast(version, minimumSqliteVersion)) return;
  throw new RosterError(
    'store_unavailable',
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
