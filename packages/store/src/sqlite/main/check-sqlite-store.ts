import { resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import {
  type CheckedDatabase,
  type CheckOptions,
  type CheckResult,
  runChecks,
} from '../../check/run-checks.ts';
import { requireMigrated } from '../database/migrations.ts';
import { openForReading } from '../database/open-database.ts';
import { rowChecksum } from '../database/row-checksums.ts';
import { getRows } from '../database/rows.ts';
import { isSqliteError, translateError } from '../database/translate-error.ts';
import { requireOwnFiles } from '../directory/database-files.ts';
import { databaseFile, requireDatabase } from '../directory/prepare-directory.ts';

/** Verifies the data in a directory. It only reads, and can run beside a server. */
export async function checkSqliteStore(
  options: CheckOptions & { readonly directory: string },
): Promise<CheckResult> {
  const directory = resolve(options.directory);
  requireDatabase(directory);
  const file = databaseFile(directory);
  requireOwnFiles(directory, file);
  try {
    const db = openForReading(file);
    try {
      requireMigrated(db, file);
      // Reads one state of the database.
      db.exec('BEGIN');
      return await runChecks(checkedDatabase(db), options);
    } finally {
      db.close();
    }
  } catch (error) {
    throw translateError(error, directory);
  }
}

function checkedDatabase(db: DatabaseSync): CheckedDatabase {
  return {
    query: (sql) => getRows(db, sql),
    rowChecksum,
    isDamage: isSqliteError,
    inOneState: (read) => read(),
    resources: 'resources INDEXED BY resources_by_creation',
    lostStations:
      'SELECT count(DISTINCT station_id) FROM revisions WHERE station_id NOT IN (SELECT id FROM stations)',
    expectedTypes: "SELECT value FROM meta WHERE key = 'type_count'",
    damagedRevisions: (stationId) =>
      `SELECT count(*) FROM revisions WHERE station_id = ${stationId} AND checksum IS NOT ${rowChecksum('revisions')}`,
    structure: () =>
      getRows<{ integrity_check: string }>(db, 'PRAGMA integrity_check(20)')
        .map((row) => row.integrity_check)
        .filter((text) => text !== 'ok'),
  };
}
