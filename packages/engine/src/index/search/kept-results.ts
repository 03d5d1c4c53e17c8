import type { Snapshot } from '../snapshot.ts';

interface Kept {
  readonly snapshot: WeakRef<Snapshot>;
  readonly slots: Uint32Array;
}

/** The results of recent searches, for their next pages. The least recently used go first. */
export class KeptResults {
  readonly #maxBytes: number;
  readonly #results = new Map<string, Kept>();
  readonly #numbers = new WeakMap<Snapshot, number>();
  #lastNumber = 0;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(snapshot: Snapshot, query: string): Uint32Array | undefined {
    const key = this.#keyOf(snapshot, query);
    const found = this.#results.get(key);
    if (found === undefined) return undefined;
    this.#results.delete(key);
    this.#results.set(key, found);
    return found.slots;
  }

  set(snapshot: Snapshot, query: string, slots: Uint32Array): void {
    const key = this.#keyOf(snapshot, query);
    if (slots.byteLength > this.#maxBytes / 4) return;
    this.#drop(key);
    this.#results.set(key, { snapshot: new WeakRef(snapshot), slots });
    this.#bytes += costOf(key, slots);
    for (const [oldest, { snapshot: of }] of this.#results) {
      if (this.#bytes <= this.#maxBytes && of.deref() !== undefined) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const found = this.#results.get(key);
    if (found === undefined) return;
    this.#results.delete(key);
    this.#bytes -= costOf(key, found.slots);
  }

  #keyOf(snapshot: Snapshot, query: string): string {
    const number = this.#numbers.getOrInsertComputed(snapshot, () => ++this.#lastNumber);
    return `${number} ${query}`;
  }
}

function costOf(key: string, slots: Uint32Array): number {
  return slots.byteLength + 2 * key.length + 200;
}
