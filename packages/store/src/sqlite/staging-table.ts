import type { DatabaseSync, StatementSync } from 'node:sqlite';
import {
  type FlatRecords,
  flatRecordLength,
  stagedColumns,
  typeKeyOffset,
  typeLabelOffset,
} from './flat-records.ts';

/** Measured: a call into SQLite for each row costs as much again as the row itself. */
const rowsPerInsert = 20;

/** The records of one batch in a temporary table that only the writer's connection can see. */
export class StagingTable {
  readonly name: string;
  readonly #db: DatabaseSync;
  readonly #insertMany: StatementSync;
  readonly #insertOne: StatementSync;
  #count = 0;
  #labelByTypeKey = new Map<string, string | null>();

  constructor(db: DatabaseSync, name: string) {
    this.name = `temp.${name}`;
    this.#db = db;
    db.exec(`
      CREATE TEMP TABLE ${name} (
        position INTEGER PRIMARY KEY, line INTEGER, resource_id TEXT, name TEXT, display_name TEXT,
        type_key TEXT, product TEXT, alertable INTEGER, state TEXT, sku TEXT, gpu_model TEXT,
        alert_rules_count INTEGER, create_time TEXT
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

  /** The types of all records with the first label given for each. */
  get labelByTypeKey(): ReadonlyMap<string, string | null> {
    return this.#labelByTypeKey;
  }

  add(records: FlatRecords): void {
    const total = records.length / flatRecordLength;
    this.#db.exec('BEGIN');
    try {
      let row = 0;
      for (; row + rowsPerInsert <= total; row += rowsPerInsert) {
        this.#insertMany.run(...this.#values(records, row, rowsPerInsert));
      }
      for (; row < total; row++) this.#insertOne.run(...this.#values(records, row, 1));
      this.#db.exec('COMMIT');
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
    this.#count += total;
  }

  clear(): void {
    this.#db.exec(`DELETE FROM ${this.name}`);
    this.#count = 0;
    this.#labelByTypeKey = new Map();
  }

  #values(records: FlatRecords, firstRow: number, rows: number): FlatRecords {
    const values: FlatRecords = [];
    for (let row = firstRow; row < firstRow + rows; row++) {
      const start = row * flatRecordLength;
      for (let offset = 0; offset < typeLabelOffset; offset++) values.push(records[start + offset]!);
      this.#see(records[start + typeKeyOffset] as string, records[start + typeLabelOffset] as string | null);
    }
    return values;
  }

  #see(typeKey: string, label: string | null): void {
    const known = this.#labelByTypeKey.get(typeKey);
    if (known === undefined || (known === null && label !== null)) this.#labelByTypeKey.set(typeKey, label);
  }
}
