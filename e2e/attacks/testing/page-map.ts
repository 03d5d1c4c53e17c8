import { DatabaseSync } from 'node:sqlite';
import type { SeededRandom } from '../../../testing/seeded-random.ts';

/** Which table or index each page of a SQLite file belongs to. */
export class PageMap {
  readonly #pageSize: number;
  readonly #owners = new Map<number, string>();
  readonly #pages = new Map<string, number[]>();

  constructor(file: string) {
    const db = new DatabaseSync(file, { readOnly: true });
    const { page_size: pageSize } = db.prepare('PRAGMA page_size').get() as { page_size: number };
    this.#pageSize = pageSize;
    const rows = db.prepare('SELECT name, pageno FROM dbstat ORDER BY name, pageno').all();
    for (const { name, pageno } of rows as { name: string; pageno: number }[]) {
      this.#owners.set(pageno, name);
      this.#pages.set(name, [...(this.#pages.get(name) ?? []), pageno]);
    }
    db.close();
  }

  /** The table or index that a byte of the file belongs to. */
  ownerOf(byte: number): string {
    return this.#owners.get(Math.floor(byte / this.#pageSize) + 1) ?? 'no table';
  }

  /** A byte in a page of one table or index, taken in turn. Half of them at its start, where the page is described. */
  placeIn(turn: number, random: SeededRandom): number {
    const pages = [...this.#pages.values()][turn % this.#pages.size]!;
    const page = random.pick(pages);
    const within = random.below(random.next() < 0.5 ? 64 : this.#pageSize);
    return (page - 1) * this.#pageSize + within;
  }
}
