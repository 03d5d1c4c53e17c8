import { DatabaseSync } from 'node:sqlite';
import type { Resource } from '@roster/contract';
import { type PlainStore, plainColumns, plainValues } from './plain-store.ts';
import { parseChanges } from './state-changes.ts';

const columns = plainColumns.join(', ');

/** `node:sqlite` without anything else, as durable as Roster. */
export class PlainSqlite implements PlainStore {
  readonly #db: DatabaseSync;
  readonly #keep;
  readonly #put;
  #revision = 1;

  constructor(file: string) {
    this.#db = new DatabaseSync(file);
    this.#db.exec(`
      PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -98304;
      CREATE TABLE resources (
        ${plainColumns.map((column) => `${column} NOT NULL`).join(', ')}, revision INTEGER NOT NULL,
        PRIMARY KEY (resource_id)
      );
      CREATE TABLE history (until_revision INTEGER NOT NULL, ${columns}, revision INTEGER NOT NULL);
      CREATE INDEX history_by_id ON history (resource_id, until_revision);
    `);
    this.#keep = this.#db.prepare(
      `INSERT INTO history SELECT ?, ${columns}, revision FROM resources WHERE resource_id = ?`,
    );
    this.#put = this.#db.prepare('UPDATE resources SET state = ?, revision = ? WHERE resource_id = ?');
  }

  async fill(resources: readonly Resource[]): Promise<void> {
    const insert = this.#db.prepare(
      `INSERT INTO resources VALUES (${[...plainColumns, 'revision'].map(() => '?').join(', ')})`,
    );
    this.#db.exec('BEGIN');
    for (const resource of resources) insert.run(...plainValues(resource), 1);
    this.#db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  }

  async write(body: string): Promise<void> {
    const revision = ++this.#revision;
    this.#db.exec('BEGIN IMMEDIATE');
    for (const { resource_id: id, state } of parseChanges(body)) {
      this.#keep.run(revision, id);
      this.#put.run(state, revision, id);
    }
    this.#db.exec('COMMIT');
  }

  async close(): Promise<void> {
    this.#db.close();
  }
}
