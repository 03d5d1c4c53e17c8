import { resolve } from 'node:path';
import type { SchemaChange } from '../shared/schema-version.ts';
import { lockDirectory } from './directory-lock.ts';
import { migrate, migrations, readSchemaVersion } from './migrations.ts';
import { openForReading, openForWriting } from './open-database.ts';
import { databaseFile, requireDatabase } from './prepare-directory.ts';
import { translateError } from './translate-error.ts';
import { useTemporaryDirectory } from './use-temporary-directory.ts';

/** Brings the data in a directory up to date. Throws `store_unavailable` with what stands in the way. */
export function migrateSqliteStore(options: { readonly directory: string }): SchemaChange {
  const directory = resolve(options.directory);
  requireDatabase(directory);
  const file = databaseFile(directory);
  useTemporaryDirectory(directory);
  try {
    // What is up to date may be in use: the server that runs has brought it there itself.
    const version = findVersion(file);
    return version === migrations.length ? { from: version, to: version } : migrateLocked(directory, file);
  } catch (error) {
    throw translateError(error, directory);
  }
}

function findVersion(file: string): number {
  const db = openForReading(file);
  try {
    return readSchemaVersion(db);
  } finally {
    db.close();
  }
}

function migrateLocked(directory: string, file: string): SchemaChange {
  const lock = lockDirectory(directory);
  try {
    const db = openForWriting(file);
    try {
      return migrate(db, file);
    } finally {
      db.close();
    }
  } finally {
    lock.release();
  }
}
