import type { Exchange } from '../http/exchange.ts';

/** The exchanges whose response is not complete. Each knows its index: a Set would be a noticeable cost of a list. */
export class OpenExchanges implements Iterable<Exchange> {
  readonly #exchanges: Exchange[] = [];

  get count(): number {
    return this.#exchanges.length;
  }

  add(exchange: Exchange): void {
    exchange.openIndex = this.#exchanges.push(exchange) - 1;
  }

  remove(exchange: Exchange): void {
    if (exchange.isClosed) return;
    exchange.isClosed = true;
    const last = this.#exchanges.pop()!;
    if (last === exchange) return;
    this.#exchanges[exchange.openIndex] = last;
    last.openIndex = exchange.openIndex;
  }

  /** In no particular order. */
  [Symbol.iterator](): Iterator<Exchange> {
    return [...this.#exchanges][Symbol.iterator]();
  }
}
