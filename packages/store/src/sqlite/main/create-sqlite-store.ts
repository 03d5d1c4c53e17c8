import { resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Store, StoredToken, TypeCatalog } from '@roster/engine/port';
import { hasDamagedStations, loadStations } from '../database/find-station.ts';
import { migrate, requireMigrated } from '../database/migrations.ts';
import { closeOnError, openForReading, openForWriting } from '../database/open-database.ts';
import { listTokens } from '../database/token-table.ts';
import { translateError } from '../database/translate-error.ts';
import { loadCatalog } from '../database/type-catalog.ts';
import { listViews } from '../database/view-table.ts';
import { DatabaseFiles, findFiles, requireOwnFiles } from '../directory/database-files.ts';
import { closeInOrder, renewGeneration } from '../directory/database-generation.ts';
import {
  type DirectoryLock,
  lockDirectory,
  requireSoleUse,
  wasLastUsedUnder,
} from '../directory/directory-lock.ts';
import {
  createPrivately,
  databaseFile,
  prepareDirectory,
  requireDatabase,
  useTemporaryDirectory,
} from '../directory/prepare-directory.ts';
import type { ReaderHandlers } from '../reader/reader-thread.ts';
import { WorkerChannel } from '../threads/worker-channel.ts';
import type { WriterHandlers } from '../writer/writer-thread.ts';
import { KnownViews } from './known-views.ts';
import { SqliteStore } from './sqlite-store.ts';
import { VisibleStations } from './visible-stations.ts';

export interface SqliteStoreOptions {
  /** Where the data lives, on a local disk. Created when missing, used by one process at a time. */
  readonly directory: string;
  /**
   * Changes nothing and accepts no writes. It still locks the directory, which must exist and be migrated.
   */
  readonly readOnly?: boolean;
  /** Delays the start of the writer thread until this resolves or something is written. */
  readonly reading?: Promise<void>;
  /** From this many records on, the first import of a station is written while it arrives. */
  readonly earlyFrom?: number;
  /** Called with the reason when all stations get new epochs, which expires earlier revisions. */
  readonly onNewEpochs?: (reason: string) => void;
}

/** Two messages: smaller batches arrive too fast for it to matter. */
const usualEarlyFrom = 2_000;

const readerThread = new URL('../reader/reader-thread.ts', import.meta.url);
const writerThread = new URL('../writer/writer-thread.ts', import.meta.url);

/** Opens the store in a directory. Throws `store_unavailable` with the reason. */
export async function createSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const directory = resolve(options.directory);
  const readOnly = options.readOnly ?? false;
  if (readOnly) {
    requireDatabase(directory);
  } else {
    prepareDirectory(directory);
    useTemporaryDirectory(directory);
  }
  try {
    // Closes what is open if the rest fails.
    await using opened = new AsyncDisposableStack();
    const lock = opened.adopt(lockDirectory(directory), ({ release }) => release());
    const file = databaseFile(directory);
    // It loads its modules meanwhile and opens the database with its first request.
    const reader = new WorkerChannel<ReaderHandlers>(readerThread, { directory, file });
    opened.defer(() => reader.terminate());
    const { connection, ...parts } = openDatabase({ ...options, directory, file, lock });
    opened.defer(() => connection.close());
    const { earlyFrom = usualEarlyFrom, reading } = options;
    const writerData = { directory, file, opened: parts.files.opened, earlyFrom };
    const writer = new WorkerChannel<WriterHandlers>(writerThread, writerData, reading);
    const release = (inOrder: boolean) => {
      try {
        if (inOrder) closeInOrder(connection, { directory, file, lockIdentity: lock.identity });
      } finally {
        connection.close();
        lock.release();
      }
    };
    opened.move();
    return new SqliteStore({ ...parts, reader, writer, earlyFrom, readOnly, release });
  } catch (error) {
    throw translateError(error, directory);
  }
}

interface OpeningOptions extends SqliteStoreOptions {
  readonly file: string;
  readonly lock: DirectoryLock;
}

interface OpenedDatabase {
  /** Kept open: it holds the lock on the database and keeps its log in place. */
  readonly connection: DatabaseSync;
  readonly files: DatabaseFiles;
  readonly stations: VisibleStations;
  readonly catalog: TypeCatalog;
  readonly tokens: readonly StoredToken[];
  readonly views: KnownViews;
}

function openDatabase(options: OpeningOptions): OpenedDatabase {
  const { directory, file, readOnly } = options;
  requireOwnFiles(directory, file);
  if (!readOnly) createPrivately(file);
  const { database } = findFiles(file);
  const connection = readOnly ? openWithoutWriting(options) : openUpToDate(options);
  return closeOnError(connection, () => {
    const stations = new VisibleStations(loadStations(connection), hasDamagedStations(connection));
    const catalog = loadCatalog(connection);
    const tokens = listTokens(connection);
    const views = new KnownViews(listViews(connection));
    connection.exec('PRAGMA shrink_memory');
    // The log exists by now and stays.
    const files = new DatabaseFiles(file, { ...findFiles(file), database });
    return { connection, files, stations, catalog, tokens, views };
  });
}

function openUpToDate({ directory, file, lock, onNewEpochs }: OpeningOptions): DatabaseSync {
  const db = openForWriting(file);
  return closeOnError(db, () => {
    requireSoleUse(db, file, lock);
    migrate(db, file);
    const reason = renewGeneration(db, { directory, file, lockIdentity: lock.identity });
    if (reason !== undefined) onNewEpochs?.(reason);
    return db;
  });
}

function openWithoutWriting({ file, lock }: OpeningOptions): DatabaseSync {
  const db = openForReading(file);
  const isOurs = closeOnError(db, () => {
    requireMigrated(db, file);
    return wasLastUsedUnder(db, lock);
  });
  if (isOurs) return db;
  // Only a writable connection can be alone with the database.
  db.close();
  const alone = openForWriting(file);
  try {
    requireSoleUse(alone, file, lock);
    return openForReading(file);
  } finally {
    alone.close();
  }
}
