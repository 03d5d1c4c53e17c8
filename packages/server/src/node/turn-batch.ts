/**
 * Collects what comes up during one turn of the event loop and hands it over together at its end. To do one thing for
 * many takes less time than to do many things for one: the code for it stays in the caches of the processor.
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

  /** Hands over now what there is, for those who cannot wait until the end of the turn. */
  readonly finish = (): void => {
    const items = this.#items;
    if (items.length === 0) return;
    this.#items = [];
    this.#handOver(items);
  };
}
