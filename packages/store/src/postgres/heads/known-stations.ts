import { type StationAddress, stationKey } from '@roster/contract';
import type { Head, StationCounts } from '@roster/engine/port';

export interface KnownStation {
  readonly id: number;
  readonly address: StationAddress;
  readonly head: Head;
}

interface Entry extends KnownStation {
  askedAtMs: number;
}

/** The heads this node has seen: they expose a database that lost its tail, and map notifications to stations. */
export class KnownStations {
  readonly #entries = new Map<string, Entry>();
  readonly #keysById = new Map<number, string>();
  readonly #counts = new Map<string, { readonly head: Head; readonly counts: StationCounts }>();

  get(address: StationAddress): KnownStation | undefined {
    return this.#entries.get(stationKey(address));
  }

  byId(id: number): KnownStation | undefined {
    const key = this.#keysById.get(id);
    return key === undefined ? undefined : this.#entries.get(key);
  }

  all(): KnownStation[] {
    return [...this.#entries.values()];
  }

  /** Stations read since a time. */
  askedSince(timeMs: number): StationAddress[] {
    return [...this.#entries.values()]
      .filter(({ askedAtMs }) => askedAtMs >= timeMs)
      .map(({ address }) => address);
  }

  markAsked(address: StationAddress): void {
    const entry = this.#entries.get(stationKey(address));
    if (entry) entry.askedAtMs = Date.now();
  }

  /** Answers can arrive out of order, so within an epoch only newer ones count. */
  note(station: KnownStation): void {
    const key = stationKey(station.address);
    const known = this.#entries.get(key);
    if (known?.head === station.head) return;
    if (known?.id === station.id && isNewer(known.head, station.head)) return;
    if (known && known.id !== station.id) this.#keysById.delete(known.id);
    this.#entries.set(key, { ...station, askedAtMs: known?.askedAtMs ?? 0 });
    this.#keysById.set(station.id, key);
  }

  /** The counts of a station at its head, if this node was the last to write or read them. */
  countsAt(address: StationAddress, { epoch, revId }: Head): StationCounts | undefined {
    const known = this.#counts.get(stationKey(address));
    return known?.head.epoch === epoch && known.head.revId === revId ? known.counts : undefined;
  }

  noteCounts(address: StationAddress, head: Head, counts: StationCounts): void {
    this.#counts.set(stationKey(address), { head, counts });
  }

  forget(station: KnownStation): void {
    this.#keysById.delete(station.id);
    const key = stationKey(station.address);
    if (this.#entries.get(key)?.id !== station.id) return;
    this.#entries.delete(key);
    this.#counts.delete(key);
  }
}

function isNewer(one: Head, other: Head): boolean {
  return one.epoch === other.epoch && one.number > other.number;
}
