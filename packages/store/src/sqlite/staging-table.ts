import type { DatabaseSync } from 'node:sqlite';
import { FlatInserts } from './flat-inserts.ts';
import type { FlatRows } from './flat-records.ts';
import { rollBack } from './run-transaction.ts';

/** The records of one batch in a temporary table that only the writer's connection can see. */
export class StagingTable {
  readonly name: string;
  readonly #db: DatabaseSync;
  readonly #inserts: FlatInserts;

  constructor(db: DatabaseSync, name: string) {
    this.name = `temp.${name}`;
    this.#db = db;
    db.exec(`
      CREATE TEMP TABLE ${name} (
        position INTEGER PRIMARY KEY, line INTEGER, column_number INTEGER, resource_id TEXT, name TEXT,
        display_name TEXT, type_key TEXT, product TEXT, alertable INTEGER, state TEXT, sku TEXT,
        gpu_model TEXT, alert_rules_count INTEGER, create_time TEXT
      )
    `);
    this.#inserts = new FlatInserts(db, {
      sql: (rows, columns) => `INSERT INTO ${this.name} (${columns}) VALUES ${rows}`,
    });
  }

  add(rows: FlatRows): void {
    this.#db.exec('BEGIN');
    try {
      this.#inserts.run(rows);
      this.#db.exec('COMMIT');
    } catch (error) {
      rollBack(this.#db);
      throw error;
    }
  }

  clear(): void {
    this.#db.exec(`DELETE FROM ${this.name}`);
  }
}
