/**
 * Collects items during one turn of the event loop and hands them over together at its end. One step for many items
 * is faster than many steps for one: its code stays in the caches of the processor.
 */
export class TurnBatch<T> {
  readonly #handOver: (items: readonly T[]) => void;
  #items: T[] = [];

  constructor(handOver: (items: readonly T[]) => void) {
    this.#handOver = handOver;
  }

  get size(): number {
    return this.#items.length;
  }

  add(item: T): void {
    if (this.#items.push(item) === 1) setImmediate(this.finish);
  }

  /** Hands over now. */
  readonly finish = (): void => {
    const items = this.#items;
    if (items.length === 0) return;
    this.#items = [];
    this.#handOver(items);
  };
}
