import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { resourceColumnNames, stagedColumns } from '../../shared/resource-columns.ts';
import { separator } from '../database/row-checksums.ts';
import { rollBack } from '../database/run-transaction.ts';
import type { FlatRows, FlatValue } from './flat-records.ts';

/** The records of one batch, in a temporary table of the writer's connection. */
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
        gpu_model TEXT, alert_rules_count INTEGER, create_time TEXT, state_since INTEGER, labels TEXT,
        checksum INTEGER
      )
    `);
    this.#inserts = new FlatInserts(db, {
      sql: ({ rows, columns }) => `INSERT INTO ${this.name} (${columns}) VALUES ${rows}`,
    });
  }

  /** The columns that any record has. */
  get given(): ReadonlySet<string> {
    return this.#inserts.given;
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
    this.#inserts.given.clear();
  }
}

const columns = [...stagedColumns, 'checksum'];
const width = stagedColumns.length;
const placeColumns = width - resourceColumnNames.length;

/** One call per row would add a third to the processor time of an import. */
const rowsPerInsert = 50;

interface InsertedRows {
  /** What follows `VALUES`. */
  readonly rows: string;
  readonly columns: string;
  /** Every record has all fields. */
  readonly areComplete: boolean;
}

interface FlatInsertsOptions {
  readonly sql: (inserted: InsertedRows) => string;
  readonly parameters?: Record<string, SQLInputValue>;
  /** Values of omitted fields, by column, where the records cannot update a resource. */
  readonly fill?: Readonly<Record<string, FlatValue>>;
}

/** Inserts flat rows, many per statement. */
export class FlatInserts {
  readonly #db: DatabaseSync;
  readonly #options: FlatInsertsOptions;
  readonly #statements = new Map<string, StatementSync>();
  /** The columns that any row had a value for. */
  readonly given = new Set<string>();

  constructor(db: DatabaseSync, options: FlatInsertsOptions) {
    this.#db = db;
    this.#options = options;
  }

  run({ count, values: json }: FlatRows): void {
    const values: FlatValue[] = JSON.parse(json);
    const { parameters = {}, fill = {} } = this.#options;
    const filled = stagedColumns.map((column) => fill[column] ?? null);
    for (let row = 0; row < count; ) {
      const rows = row + rowsPerInsert <= count ? rowsPerInsert : 1;
      const checked = withChecksums(values, row, row + rows, filled);
      this.#statement(rows, checked.areComplete).run(parameters, ...checked.values);
      row += rows;
    }
    for (const [at, column] of stagedColumns.entries()) {
      if (!this.given.has(column) && hasColumn(values, at)) this.given.add(column);
    }
  }

  #statement(rows: number, areComplete: boolean): StatementSync {
    return this.#statements.getOrInsertComputed(`${rows} ${areComplete}`, () => {
      const row = `(${columns.map(() => '?').join(', ')})`;
      const inserted = { rows: Array(rows).fill(row).join(', '), columns: columns.join(', '), areComplete };
      const statement = this.#db.prepare(this.#options.sql(inserted));
      // The statement for complete records uses fewer parameters.
      statement.setAllowUnknownNamedParameters(true);
      return statement;
    });
  }
}

function hasColumn(flat: readonly FlatValue[], column: number): boolean {
  for (let at = column; at < flat.length; at += width) if (flat[at] !== null) return true;
  return false;
}

/**
 * The values of some rows, each followed by the checksum of its record. SQLite would take twice the processor
 * time of an import to compute them.
 */
function withChecksums(flat: readonly FlatValue[], from: number, to: number, filled: readonly FlatValue[]) {
  const values: FlatValue[] = [];
  let areComplete = true;
  let at = from * width;
  for (let row = from; row < to; row++) {
    let texts = '';
    let isComplete = true;
    for (let column = 0; column < width; column++) {
      const value = flat[at++] ?? filled[column]!;
      values.push(value);
      if (column < placeColumns) continue;
      if (value === null) isComplete = false;
      texts += column === placeColumns ? value : separator + value;
    }
    // Omitted fields are only known when the record is written.
    values.push(isComplete ? crc32(texts) : null);
    areComplete &&= isComplete;
  }
  return { values, areComplete };
}
