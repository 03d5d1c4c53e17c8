import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { noLabels, RosterError } from '@roster/contract';
import type { AdvancedStation } from '../../shared/stations.ts';
import { readMeta } from '../database/meta-table.ts';
import { restoreCache, takeLargeCache } from '../database/open-database.ts';
import { writeTime } from '../database/resource-columns.ts';
import { rollBack } from '../database/run-transaction.ts';
import { isSqliteError } from '../database/translate-error.ts';
import {
  type BatchToCommit,
  beginRevision,
  type CommittedBatch,
  completeBatch,
  type EarlyDefaults,
} from './commit-batch.ts';
import type { FlatRows } from './flat-records.ts';
import { insertNewSql, insertStaged, isStationEmpty, newParameters } from './resource-writes.ts';
import { FlatInserts } from './staging-table.ts';

/**
 * The first import of a station, written while it arrives; little is left to do after the last record. Its
 * transaction stays open, so any other use of the connection must end it first. Nothing is lost then: the
 * rows are spooled and can still be staged. Measured: 0.15 instead of 0.6 s of processor time after the last
 * of 100 000 records.
 */
export class EarlyWrite {
  /** The rows that arrived since it began. */
  readonly kept = new ImportSpool();
  readonly defaults: EarlyDefaults;
  readonly #db: DatabaseSync;
  readonly #station: AdvancedStation;
  readonly #inserts: FlatInserts;

  private constructor(db: DatabaseSync, station: AdvancedStation, parameters: Record<string, SQLInputValue>) {
    this.#db = db;
    this.#station = station;
    this.defaults = {
      nowMs: Number(parameters.nowMs),
      catalogRevision: Number(readMeta(db, 'catalog_revision')),
    };
    this.#inserts = new FlatInserts(db, {
      sql: ({ rows, columns, areComplete }) =>
        `WITH s (${columns}) AS (VALUES ${rows}) ${insertNewSql('s', { areComplete })}`,
      parameters,
      // Most imports have all fields but these.
      fill: { state_since: parameters.nowMs as number, labels: noLabels },
    });
  }

  /** Writes what is staged so far. Undefined when the batch must be committed in the usual way. */
  static begin(db: DatabaseSync, batch: BatchToCommit): EarlyWrite | undefined {
    takeLargeCache(db);
    try {
      db.exec('BEGIN IMMEDIATE');
      const station = isStationEmpty(db, batch.stationId) ? beginRevision(db, batch) : undefined;
      if (station) {
        const parameters = newParameters({ ...batch, revision: station.head.number, time: writeTime() });
        insertStaged(db, batch.table, parameters);
        return new EarlyWrite(db, station, parameters);
      }
      takeBack(db);
    } catch (error) {
      takeBack(db);
      // Its commit will find and report what is wrong with the batch.
      if (!(error instanceof RosterError) && !isSqliteError(error)) throw error;
    }
    return undefined;
  }

  /** Returns false when the rows were spooled but cannot be written. */
  add(rows: FlatRows): boolean {
    this.kept.add(rows);
    try {
      this.#inserts.run(rows);
      return true;
    } catch (error) {
      if (isSqliteError(error)) return false;
      throw error;
    }
  }

  /** All records must have been added. */
  commit(batch: BatchToCommit): CommittedBatch {
    const difference = { created: batch.count, updated: 0, renamed: 0, removed: 0 };
    const committed = completeBatch(this.#db, batch, this.#station, difference);
    this.#db.exec('COMMIT');
    return { ...committed, early: this.defaults };
  }

  /** Rolls back what was not committed. */
  end(): void {
    takeBack(this.#db);
  }
}

function takeBack(db: DatabaseSync): void {
  rollBack(db);
  restoreCache(db);
}

type KeptPiece = FlatRows & { readonly id: number };

/** Rows in arrival order, in a temporary file that no transaction of the database rolls back. */
export class ImportSpool {
  readonly #db = new DatabaseSync('');
  readonly #insert;
  readonly #select;
  #passedId = 0;

  constructor() {
    this.#db.exec(
      'PRAGMA journal_mode = OFF; CREATE TABLE kept (id INTEGER PRIMARY KEY, count INTEGER, "values" TEXT)',
    );
    this.#insert = this.#db.prepare('INSERT INTO kept (count, "values") VALUES (?, ?)');
    this.#select = this.#db.prepare('SELECT id, count, "values" FROM kept WHERE id > ? ORDER BY id LIMIT 1');
  }

  add({ count, values }: FlatRows): void {
    this.#insert.run(count, values);
  }

  /** Passes pieces on, each once and in order, even if one fails. Returns whether there are more. */
  passOn(pieces: number, take: (rows: FlatRows) => void): boolean {
    for (let passed = 0; passed < pieces; passed++) {
      const piece = this.#select.get(this.#passedId) as KeptPiece | undefined;
      if (piece === undefined) return false;
      take(piece);
      this.#passedId = piece.id;
    }
    return true;
  }

  close(): void {
    this.#db.close();
  }
}
