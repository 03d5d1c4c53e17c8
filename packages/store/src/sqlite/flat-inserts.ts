import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { stagedColumns } from '../shared/resource-columns.ts';
import { type FlatRows, parseFlatValues } from './flat-records.ts';

/** Measured: a call into SQLite for each row costs as much again as the row itself. */
const rowsPerInsert = 50;

interface FlatInsertsOptions {
  /** A statement that inserts `rows`, as they stand behind `VALUES`, with these columns. */
  readonly sql: (rows: string, columns: string) => string;
  /** What else the statement names. */
  readonly parameters?: Record<string, SQLInputValue>;
}

/** Inserts flat rows, many with each statement. */
export class FlatInserts {
  readonly #insertMany: StatementSync;
  readonly #insertOne: StatementSync;
  readonly #parameters: Record<string, SQLInputValue>;

  constructor(db: DatabaseSync, { sql, parameters = {} }: FlatInsertsOptions) {
    const row = `(${stagedColumns.map(() => '?').join(', ')})`;
    const prepare = (rows: number) =>
      db.prepare(sql(Array(rows).fill(row).join(', '), stagedColumns.join(', ')));
    this.#insertMany = prepare(rowsPerInsert);
    this.#insertOne = prepare(1);
    this.#parameters = parameters;
  }

  run({ count, values: json }: FlatRows): void {
    const values = parseFlatValues(json);
    const width = stagedColumns.length;
    let row = 0;
    for (; row + rowsPerInsert <= count; row += rowsPerInsert) {
      this.#insertMany.run(this.#parameters, ...values.slice(row * width, (row + rowsPerInsert) * width));
    }
    for (; row < count; row++) {
      this.#insertOne.run(this.#parameters, ...values.slice(row * width, (row + 1) * width));
    }
  }
}
