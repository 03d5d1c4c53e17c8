import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { stagedColumns } from '../shared/resource-columns.ts';
import { noteType, type SeenTypes } from '../shared/seen-types.ts';
import { type FlatRecords, parseFlatValues } from './flat-records.ts';
import { rollBack } from './run-transaction.ts';

/** Measured: a call into SQLite for each row costs as much again as the row itself. */
const rowsPerInsert = 20;

/** The records of one batch in a temporary table that only the writer's connection can see. */
export class StagingTable {
  readonly name: string;
  readonly #db: DatabaseSync;
  readonly #insertMany: StatementSync;
  readonly #insertOne: StatementSync;
  #count = 0;
  #labelByTypeKey = new Map<string, string | undefined>();

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
    const row = `(${stagedColumns.map(() => '?').join(', ')})`;
    const insert = (rows: number) =>
      db.prepare(
        `INSERT INTO ${this.name} (${stagedColumns.join(', ')}) VALUES ${Array(rows).fill(row).join(', ')}`,
      );
    this.#insertMany = insert(rowsPerInsert);
    this.#insertOne = insert(1);
  }

  get count(): number {
    return this.#count;
  }

  get labelByTypeKey(): SeenTypes {
    return this.#labelByTypeKey;
  }

  add(records: FlatRecords): void {
    this.#db.exec('BEGIN');
    try {
      this.#insert(records);
      this.#db.exec('COMMIT');
    } catch (error) {
      rollBack(this.#db);
      throw error;
    }
    this.#count += records.count;
    for (const [key, label] of records.labelByTypeKey) noteType(this.#labelByTypeKey, key, label);
  }

  clear(): void {
    this.#db.exec(`DELETE FROM ${this.name}`);
    this.#count = 0;
    this.#labelByTypeKey = new Map();
  }

  #insert(records: FlatRecords): void {
    const values = parseFlatValues(records.values);
    const width = stagedColumns.length;
    let row = 0;
    for (; row + rowsPerInsert <= records.count; row += rowsPerInsert) {
      this.#insertMany.run(...values.slice(row * width, (row + rowsPerInsert) * width));
    }
    for (; row < records.count; row++) {
      this.#insertOne.run(...values.slice(row * width, (row + 1) * width));
    }
  }
}
