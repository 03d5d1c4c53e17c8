import type { DatabaseSync } from 'node:sqlite';
import { openForReading } from './open-database.ts';
import { rollBack } from './run-transaction.ts';

const maxIdle = 4;

/** Connections that each hold one read transaction while they are taken. */
export class ReadConnections {
  readonly #file: string;
  readonly #idle: DatabaseSync[] = [];
  readonly #taken = new Set<DatabaseSync>();

  constructor(file: string) {
    this.#file = file;
  }

  /** What is read through the connection is one state of the database, that of the first read. */
  take(): DatabaseSync {
    const db = this.#idle.pop() ?? openForReading(this.#file);
    this.#taken.add(db);
    db.exec('BEGIN');
    return db;
  }

  giveBack(db: DatabaseSync): void {
    this.#taken.delete(db);
    rollBack(db);
    if (this.#idle.length < maxIdle) this.#idle.push(db);
    else db.close();
  }

  closeAll(): void {
    for (const db of [...this.#idle, ...this.#taken]) db.close();
    this.#idle.length = 0;
    this.#taken.clear();
  }
}
