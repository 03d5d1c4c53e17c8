import { resolve } from 'node:path';
import type { SchemaChange } from '../../shared/schema-version.ts';
import { migrate, migrations, readSchemaVersion } from '../database/migrations.ts';
import { openForReading, openForWriting } from '../database/open-database.ts';
import { translateError } from '../database/translate-error.ts';
import { requireOwnFiles } from '../directory/database-files.ts';
import { lockDirectory, requireSoleUse } from '../directory/directory-lock.ts';
import { databaseFile, requireDatabase, useTemporaryDirectory } from '../directory/prepare-directory.ts';

/** Migrates the data in a directory. Throws `store_unavailable` with the reason. */
export function migrateSqliteStore(options: { readonly directory: string }): SchemaChange {
  const directory = resolve(options.directory);
  requireDatabase(directory);
  const file = databaseFile(directory);
  requireOwnFiles(directory, file);
  useTemporaryDirectory(directory);
  try {
    // Migrated data may be in use by the server that migrated it.
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
      requireSoleUse(db, file, lock);
      return migrate(db, file);
    } finally {
      db.close();
    }
  } finally {
    lock.release();
  }
}
