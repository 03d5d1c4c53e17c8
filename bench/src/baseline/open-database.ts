import { DatabaseSync } from 'node:sqlite';
import type { Resource } from '@roster/contract';
import { resourceKinds } from '../dataset/resource-kinds.ts';

const schema = `
  CREATE TABLE resource_types (key TEXT PRIMARY KEY, label TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE stations (
    station_id INTEGER PRIMARY KEY,
    subscription TEXT NOT NULL, resource_group TEXT NOT NULL, zone TEXT NOT NULL, name TEXT NOT NULL,
    UNIQUE (subscription, resource_group, zone, name)
  );
  CREATE TABLE resources (
    station_id INTEGER NOT NULL, resource_id TEXT NOT NULL, name TEXT NOT NULL, display_name TEXT NOT NULL,
    type_key TEXT NOT NULL, product TEXT NOT NULL, alertable INTEGER NOT NULL, state TEXT NOT NULL,
    sku TEXT NOT NULL, gpu_model TEXT NOT NULL, alert_rules_count INTEGER NOT NULL, create_time TEXT NOT NULL
  );
`;

/**
 * Built after the rows are in: one index per way of reading, each in the order of the list and with every
 * column that a filter needs, so that only the rows of the page are looked up in the table.
 */
const indexes = `
  CREATE UNIQUE INDEX by_id ON resources (station_id, resource_id);
  CREATE INDEX by_name ON resources (station_id, display_name, resource_id, type_key, product, alertable);
  CREATE INDEX by_type ON resources (station_id, type_key, display_name, resource_id, product, alertable);
  CREATE INDEX by_product ON resources (station_id, product, display_name, resource_id, type_key, alertable);
  ANALYZE;
`;

/** A database file with one station, number 1, that holds the given resources. */
export function openDatabase(path: string, resources: Iterable<Resource>): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA mmap_size = 2147483648;');
  database.exec('PRAGMA cache_size = -262144; PRAGMA temp_store = MEMORY;');
  database.exec(schema);
  database.exec('BEGIN');
  insertTypes(database);
  database.exec("INSERT INTO stations VALUES (1, 'bench', 'bench', 'bench', 'bench')");
  insertResources(database, resources);
  database.exec('COMMIT');
  database.exec(indexes);
  return database;
}

function insertTypes(database: DatabaseSync): void {
  const insert = database.prepare('INSERT INTO resource_types VALUES (?, ?)');
  for (const kind of resourceKinds) insert.run(kind.typeKey, kind.label);
}

function insertResources(database: DatabaseSync, resources: Iterable<Resource>): void {
  const insert = database.prepare('INSERT INTO resources VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  for (const resource of resources) {
    insert.run(
      resource.resourceId,
      resource.name,
      resource.displayName,
      resource.typeKey,
      resource.product,
      resource.alertable ? 1 : 0,
      resource.state,
      resource.sku,
      resource.gpuModel,
      resource.alertRulesCount,
      resource.createTime,
    );
  }
}
