import { type RosterError, type StationAddress, stationKey } from '@roster/contract';
import type { Head } from './port/store.ts';

/** Finding the damage takes as long as reading the station, so concurrent readers share one result. */
const retryAfterMs = 10_000;

interface Damage {
  readonly head: Head;
  readonly error: RosterError;
  readonly foundAt: number;
}

/** The stations that could not be read because they are damaged. */
export class DamagedStations {
  readonly #damages = new Map<string, Damage>();

  get size(): number {
    return this.#damages.size;
  }

  /** Returns whether this damage is new. */
  note(address: StationAddress, head: Head, error: RosterError): boolean {
    const key = stationKey(address);
    const known = this.#damages.get(key);
    this.#damages.set(key, { head, error, foundAt: performance.now() });
    return known?.head.revId !== head.revId;
  }

  forget(address: StationAddress): void {
    if (this.#damages.size > 0) this.#damages.delete(stationKey(address));
  }

  /** Throws the error found shortly before at the same head. */
  requireSound(address: StationAddress, head: Head): void {
    const known = this.#damages.size > 0 ? this.#damages.get(stationKey(address)) : undefined;
    if (known === undefined || known.head.revId !== head.revId) return;
    if (performance.now() - known.foundAt < retryAfterMs) throw known.error;
  }
}
