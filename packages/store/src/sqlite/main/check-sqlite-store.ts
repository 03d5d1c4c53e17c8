import { resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { stationPath } from '@roster/contract';
import {
  type CheckOptions,
  type CheckResult,
  type Checks,
  Findings,
  runChecks,
  type StationToCheck,
} from '../../check/run-checks.ts';
import { requireMigrated } from '../database/migrations.ts';
import { openForReading } from '../database/open-database.ts';
import { rowChecksum } from '../database/row-checksums.ts';
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
      const findings = new Findings();
      return await runChecks(new SqliteChecks(db, findings), findings, options);
    } finally {
      db.close();
    }
  } catch (error) {
    throw translateError(error, directory);
  }
}

class SqliteChecks implements Checks {
  readonly #db: DatabaseSync;
  readonly #findings: Findings;
  readonly isDamage = isSqliteError;

  constructor(db: DatabaseSync, findings: Findings) {
    this.#db = db;
    this.#findings = findings;
  }

  stations(): StationToCheck[] {
    const sql = `
      SELECT id, subscription, resource_group AS resourceGroup, zone, name, checksum = ${rowChecksum('stations')} AS sound,
        CASE WHEN checksum = ${rowChecksum('stations')} THEN counts ->> '$.resources' END AS size
      FROM stations`;
    const stations = (this.#db.prepare(sql).all() as unknown as StationRow[]).map((row) => {
      const path = stationPath(row);
      if (row.sound !== 1) this.#findings.add({ kind: 'station', station: path, damaged: 1 });
      return { id: row.id, size: row.size, path };
    });
    const lost = `SELECT count(DISTINCT station_id) FROM revisions WHERE station_id NOT IN (SELECT id FROM stations)`;
    this.#findings.add({ kind: 'station', missing: this.#count(lost) });
    return stations;
  }

  /** Through the index that feeds use. */
  resources({ id, size, path: station }: StationToCheck): number {
    const from = `FROM resources INDEXED BY resources_by_revision WHERE station_id = ${id}`;
    const found = this.#count(`SELECT count(*) ${from}`);
    const ids = this.#texts(`SELECT resource_id ${from} AND checksum IS NOT ${rowChecksum('resources')}`);
    const missing = size === null ? 0 : size - found;
    this.#findings.add({ kind: 'resources', station, damaged: ids.length, missing, ids });
    return found;
  }

  history({ id, path: station }: StationToCheck): number {
    const from = `FROM past_versions WHERE station_id = ${id}`;
    const versions = `SELECT resource_id ${from} AND checksum IS NOT ${rowChecksum('past_versions')}`;
    const revisions = `SELECT revision FROM revisions
      WHERE station_id = ${id} AND checksum IS NOT ${rowChecksum('revisions')}`;
    const ids = this.#texts(versions);
    const damaged = ids.length + this.#texts(revisions).length;
    this.#findings.add({ kind: 'history', station, damaged, ids });
    return this.#count(`SELECT count(*) ${from}`);
  }

  types(): number {
    const ids = this.#texts(
      `SELECT key FROM resource_types WHERE checksum IS NOT ${rowChecksum('resource_types')}`,
    );
    const found = this.#count('SELECT count(*) FROM resource_types');
    const expected = this.#count("SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'type_count'");
    this.#findings.add({ kind: 'types', damaged: ids.length, missing: expected - found, ids });
    return found;
  }

  /** SQLite's own check of pages and indexes. */
  structure(): void {
    const reported = this.#texts('PRAGMA integrity_check(20)').filter((text) => text !== 'ok');
    if (reported.length > 0) this.#findings.add({ kind: 'database', detail: reported.join('; ') });
  }

  #count(sql: string): number {
    return Number(Object.values(this.#db.prepare(sql).get() ?? {})[0]);
  }

  #texts(sql: string): string[] {
    return this.#db
      .prepare(sql)
      .all()
      .map((row) => String(Object.values(row)[0]));
  }
}

interface StationRow {
  readonly id: number;
  readonly subscription: string;
  readonly resourceGroup: string;
  readonly zone: string;
  readonly name: string;
  readonly sound: number;
  readonly size: number | null;
}
