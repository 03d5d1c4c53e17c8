import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { migrate } from './migrations.ts';
import { openForWriting } from './open-database.ts';
import { type CheckedTable, isSound, sealRows } from './row-checksums.ts';

const rows: Readonly<Record<CheckedTable, Readonly<Record<string, string | number | null>>>> = {
  stations: {
    subscription: 's',
    resource_group: 'g',
    zone: 'z',
    name: 'n',
    revision: 0,
    epoch: 'e',
    rev_id: 'r',
    counts: '{}',
  },
  revisions: {
    station_id: 1,
    revision: 1,
    committed_ms: 1,
    rev_id: 'r',
    changes: 1,
    versions: 1,
    changed_by: 'c',
  },
  resources: { station_id: 1, revision: 1, created_revision: 1, ...aResource() },
  past_versions: {
    station_id: 1,
    revision: 1,
    until_revision: 2,
    id: 1,
    removed: 0,
    created_revision: 1,
    ...aResource(),
  },
  resource_types: { key: 'k', labels: '{}', product: 'p', alertable: 1 },
};

function aResource() {
  const texts = {
    resource_id: 'wm-12345',
    name: 'n',
    display_name: 'd',
    type_key: 't',
    product: 'p',
    state: 's',
    sku: '',
  };
  const numbers = { alertable: 1, alert_rules_count: 0, state_since: 1 };
  return { ...texts, ...numbers, gpu_model: '', create_time: 'c', labels: '{}' };
}

let db: DatabaseSync;

beforeEach(() => {
  const file = join(temporaryDirectory(), 'roster.db');
  db = openForWriting(file);
  onTestFinished(() => db.close());
  migrate(db, file);
  allowAnyType();
});

/** As a damaged file does. */
function allowAnyType(): void {
  db.enableDefensive(false);
  db.exec(`
    PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = replace(sql, 'STRICT, ', '');
    UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ')');
    PRAGMA writable_schema = RESET;
  `);
}

it.each(Object.entries(rows))('finds damage where a text of %s became bytes', (name, row) => {
  const table = name as CheckedTable;
  const columns = Object.keys(row);
  const verify = () => db.prepare(`SELECT count(*) AS sound FROM ${table} WHERE ${isSound(table)}`).get();
  db.prepare(
    `INSERT INTO ${table} (${columns.join(', ')}, checksum) VALUES (${columns.map(() => '?').join(', ')}, 0)`,
  ).run(...Object.values(row));
  sealRows(db, table, 'true');
  expect(verify()).toEqual({ sound: 1 });
  const texts = columns.filter((column) => typeof row[column] === 'string');
  for (const column of texts) {
    db.exec(`UPDATE ${table} SET ${column} = CAST(${column} AS BLOB)`);
    expect(verify, column).toThrow('is damaged');
    db.exec(`UPDATE ${table} SET ${column} = CAST(${column} AS TEXT)`);
    expect(verify()).toEqual({ sound: 1 });
  }
});
