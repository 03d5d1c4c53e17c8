import { DatabaseSync } from 'node:sqlite';
import type { FlatRows } from './flat-records.ts';

type KeptPiece = FlatRows & { readonly id: number };

/** Rows in the order they came, in a temporary file of their own, which no transaction of the database takes back. */
export class KeptRows {
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

  /** Passes pieces on, in order and each once, even if that fails in between. Returns whether there are more. */
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
