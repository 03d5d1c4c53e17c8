import { resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Station, Store, TypeCatalog } from '@roster/engine';
import { renewGeneration } from './database-generation.ts';
import { lockDirectory } from './directory-lock.ts';
import { migrate, requireMigrated } from './migrations.ts';
import { openForReading, openForWriting } from './open-database.ts';
import { createPrivately, databaseFile, prepareDirectory, requireDatabase } from './prepare-directory.ts';
import type { ReaderRequests } from './reader-requests.ts';
import { SqliteStore } from './sqlite-store.ts';
import { translateError } from './translate-error.ts';
import { loadCatalog } from './type-catalog.ts';
import { useTemporaryDirectory } from './use-temporary-directory.ts';
import { VisibleStations } from './visible-stations.ts';
import { WorkerChannel } from './worker-channel.ts';

export interface SqliteStoreOptions {
  /** Where the data lives, on a local disk. Created when missing, used by one process at a time. */
  readonly directory: string;
  /**
   * Leaves the data as it is and accepts no writes. It still keeps others out of the directory, which must be
   * there and up to date.
   */
  readonly readOnly?: boolean;
  /** What is read first: the thread for writes starts after it, or with the first write. At once unless given. */
  readonly reading?: Promise<void>;
  /** How many records the first import of a station has when it begins to be written while it comes in. */
  readonly earlyFrom?: number;
}

/** Two messages: a smaller batch has arrived before there is much to do meanwhile. */
const usualEarlyFrom = 2_000;

/** Opens the store in a directory. Throws `store_unavailable` with what stands in the way. */
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
    const lock = lockDirectory(directory);
    let reader: WorkerChannel<ReaderRequests> | undefined;
    try {
      const file = databaseFile(directory);
      const workerData = { directory, file, earlyFrom: options.earlyFrom ?? usualEarlyFrom };
      // It loads its modules meanwhile, and opens the database with the first request.
      reader = new WorkerChannel(new URL('./reader-thread.ts', import.meta.url), workerData);
      const { stations, catalog } = readOnly ? readDatabase(file) : prepareDatabase(directory, file);
      return new SqliteStore({
        reader,
        writer: new WorkerChannel(
          new URL('./writer-thread.ts', import.meta.url),
          workerData,
          options.reading,
        ),
        stations: new VisibleStations(stations),
        catalog,
        readOnly,
        releaseDirectory: () => lock.release(),
      });
    } catch (error) {
      try {
        await reader?.terminate();
      } finally {
        lock.release();
      }
      throw error;
    }
  } catch (error) {
    throw translateError(error, directory);
  }
}

interface OpeningState {
  readonly stations: readonly Station[];
  readonly catalog: TypeCatalog;
}

function prepareDatabase(directory: string, file: string): OpeningState {
  createPrivately(file);
  const db = openForWriting(file);
  try {
    migrate(db, file);
    renewGeneration(db, directory, file);
    return { stations: loadStations(db), catalog: loadCatalog(db) };
  } finally {
    db.close();
  }
}

function readDatabase(file: string): OpeningState {
  const db = openForReading(file);
  try {
    requireMigrated(db, file);
    return { stations: loadStations(db), catalog: loadCatalog(db) };
  } finally {
    db.close();
  }
}

function loadStations(db: DatabaseSync): Station[] {
  const rows = db.prepare(
    `SELECT
       subscription, resource_group AS resourceGroup, zone, name, epoch, revision AS number, rev_id AS revId,
       counts
     FROM stations`,
  );
  const stations: Station[] = [];
  for (const row of rows.iterate() as Iterable<Record<string, unknown>>) {
    const { subscription, resourceGroup, zone, name, epoch, number, revId, counts } = row as {
      [key in 'subscription' | 'resourceGroup' | 'zone' | 'name' | 'epoch' | 'revId' | 'counts']: string;
    } & { number: number };
    const address = { subscription, resourceGroup, zone, name };
    stations.push({ address, head: { epoch, number, revId }, counts: JSON.parse(counts) });
  }
  return stations;
}
