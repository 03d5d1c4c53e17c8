import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { RosterError } from '@roster/contract';
import type { Head } from '@roster/engine';
import { type BatchToCommit, beginRevision, type CommittedBatch, completeBatch } from './commit-batch.ts';
import { FlatInserts } from './flat-inserts.ts';
import type { FlatRows } from './flat-records.ts';
import { KeptRows } from './kept-rows.ts';
import { restoreCache, takeLargeCache } from './open-database.ts';
import { insertNewSql, insertStaged, isStationEmpty, newParameters } from './resource-writes.ts';
import { rollBack } from './run-transaction.ts';
import { isSqliteError } from './translate-error.ts';

/**
 * The first import of a station, written while it comes in, so that most of the work is done when its last record
 * arrives. The transaction is open meanwhile: whoever needs the connection for anything else has to end it first.
 * That loses nothing, since the rows are kept and can still be staged.
 */
export class EarlyWrite {
  /** The rows that came in since it began. */
  readonly kept = new KeptRows();
  readonly #db: DatabaseSync;
  readonly #head: Head;
  readonly #inserts: FlatInserts;

  private constructor(db: DatabaseSync, head: Head, parameters: Record<string, SQLInputValue>) {
    this.#db = db;
    this.#head = head;
    this.#inserts = new FlatInserts(db, {
      sql: (rows, columns) => `WITH s (${columns}) AS (VALUES ${rows}) ${insertNewSql('s')}`,
      parameters,
    });
  }

  /** Writes what is staged so far. Undefined when the batch has to be committed in the usual way. */
  static begin(db: DatabaseSync, batch: BatchToCommit): EarlyWrite | undefined {
    takeLargeCache(db);
    try {
      db.exec('BEGIN IMMEDIATE');
      const head = isStationEmpty(db, batch.stationId) ? beginRevision(db, batch) : undefined;
      if (head) {
        const parameters = newParameters({ ...batch, revision: head.number });
        insertStaged(db, batch.table, parameters);
        return new EarlyWrite(db, head, parameters);
      }
      takeBack(db);
    } catch (error) {
      takeBack(db);
      // Whatever is wrong with the batch, its commit will find and tell.
      if (!(error instanceof RosterError) && !isSqliteError(error)) throw error;
    }
    return undefined;
  }

  /** Returns false when the rows were kept but cannot be written. */
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

  /** The batch must be whole. */
  commit(batch: BatchToCommit): CommittedBatch {
    const difference = { created: batch.count, updated: 0, renamed: 0, removed: 0 };
    const committed = completeBatch(this.#db, batch, this.#head, difference);
    this.#db.exec('COMMIT');
    return committed;
  }

  /** Takes back what was not committed. */
  end(): void {
    takeBack(this.#db);
  }
}

function takeBack(db: DatabaseSync): void {
  rollBack(db);
  restoreCache(db);
}
