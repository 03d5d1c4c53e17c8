import { type StationAddress, stationKey } from '@roster/contract';
import type { Store } from '@roster/engine';

/** Wakes up whoever waits for a station to change. */
export class HeadSignals {
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(store: Store) {
    store.onHeadMoved((address) => this.#wake(address));
  }

  /** Calls `listener` whenever the station may have changed; returns how to end that. */
  subscribe(address: StationAddress, listener: () => void): () => void {
    const key = stationKey(address);
    const listeners = this.#waiting.getOrInsertComputed(key, () => new Set());
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#waiting.get(key) === listeners) this.#waiting.delete(key);
    };
  }

  #wake(address: StationAddress): void {
    for (const listener of this.#waiting.get(stationKey(address)) ?? []) listener();
  }
}
