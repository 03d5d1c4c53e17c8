import type { DatabaseSync } from 'node:sqlite';
import { RosterError } from '@roster/contract';

/** Migration n takes a database from version n to n + 1. Never change one that was released. */
const migrations: readonly string[] = [
  `
  CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE stations (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    subscription   TEXT NOT NULL,
    resource_group TEXT NOT NULL,
    zone           TEXT NOT NULL,
    name           TEXT NOT NULL,
    epoch          TEXT NOT NULL,
    revision       INTEGER NOT NULL,
    rev_id         TEXT NOT NULL,
    UNIQUE (subscription, resource_group, zone, name)
  ) STRICT;

  CREATE TABLE revisions (
    station_id   INTEGER NOT NULL REFERENCES stations (id),
    revision     INTEGER NOT NULL,
    rev_id       TEXT NOT NULL,
    committed_ms INTEGER NOT NULL,
    PRIMARY KEY (station_id, revision)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE resources (
    id                INTEGER PRIMARY KEY,
    station_id        INTEGER NOT NULL REFERENCES stations (id),
    resource_id       TEXT NOT NULL,
    name              TEXT NOT NULL,
    display_name      TEXT NOT NULL,
    type_key          TEXT NOT NULL,
    product           TEXT NOT NULL,
    alertable         INTEGER NOT NULL,
    state             TEXT NOT NULL,
    sku               TEXT NOT NULL,
    gpu_model         TEXT NOT NULL,
    alert_rules_count INTEGER NOT NULL,
    create_time       TEXT NOT NULL,
    revision          INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX resources_by_resource_id ON resources (station_id, resource_id);
  CREATE UNIQUE INDEX resources_by_name ON resources (station_id, name);
  CREATE INDEX resources_by_revision ON resources (station_id, revision);

  CREATE TABLE tombstones (
    station_id  INTEGER NOT NULL REFERENCES stations (id),
    resource_id TEXT NOT NULL,
    revision    INTEGER NOT NULL,
    PRIMARY KEY (station_id, resource_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX tombstones_by_revision ON tombstones (station_id, revision);

  CREATE TABLE resource_types (
    key    TEXT PRIMARY KEY,
    labels TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  INSERT INTO meta (key, value) VALUES ('catalog_revision', '0');
  `,
];

/** Brings the schema up to date, each step in its own transaction. */
export function migrate(db: DatabaseSync, file: string): void {
  const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
  if (version > migrations.length) {
    throw new RosterError(
      'store_unavailable',
      `${file} has schema version ${version}, this Roster knows versions up to ${migrations.length}; ` +
        'run the newer Roster that wrote it, or restore a backup from before the upgrade',
    );
  }
  for (const [index, sql] of migrations.entries()) {
    if (index < version) continue;
    db.exec('BEGIN IMMEDIATE');
    try {
      db.exec(`${sql}; PRAGMA user_version = ${index + 1}`);
      db.exec('COMMIT');
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  }
}
