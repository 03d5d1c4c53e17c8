import type { Station, Store } from '@roster/engine';
import { withinTime } from './within-time.ts';

const maxAgeMs = 5_000;

export interface InventoryReading {
  /** The first ones by address. */
  readonly stations: readonly Station[];
  readonly total: number;
}

/** The stations with their counts as the store has them. Nothing is loaded for it, and many scrapes share one reading. */
export class Inventory {
  readonly #store: Store;
  readonly #maxStations: number;
  #reading: Promise<InventoryReading | undefined> | undefined;
  #readAt = 0;

  constructor(store: Store, maxStations: number) {
    this.#store = store;
    this.#maxStations = maxStations;
  }

  /** Undefined when the store does not answer. */
  read(): Promise<InventoryReading | undefined> {
    const now = performance.now();
    if (this.#reading === undefined || now - this.#readAt > maxAgeMs) {
      this.#readAt = now;
      this.#reading = this.#ask().catch(() => undefined);
    }
    return this.#reading;
  }

  async #ask(): Promise<InventoryReading> {
    return withinTime(this.#store.stations({ offset: 0, limit: this.#maxStations }));
  }
}
