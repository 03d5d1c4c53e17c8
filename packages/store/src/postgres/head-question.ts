import { type StationAddress, stationKey } from '@roster/contract';
import type { Head, StoredToken } from '@roster/engine';
import type { KnownStation } from './known-stations.ts';

export interface HeadAnswer {
  /** In the order of the addresses; undefined for those that do not exist. */
  readonly stations: readonly (KnownStation | undefined)[];
  /** Empty unless they were asked for. */
  readonly tokens: readonly StoredToken[];
}

interface AskedStation {
  readonly address: StationAddress;
  readonly position: number;
  /** What those wait for who read it. */
  head?: PromiseWithResolvers<Head | undefined>;
}

/** One question to the database, and all who wait for its answer. It may be added to until it is sent. */
export class HeadQuestion {
  /** When those who wait are told that there is no answer, on the clock of `performance.now()`. */
  readonly deadlineMs: number;
  isForTokens = false;
  /** How many have asked it. */
  askers = 0;
  /** By their keys. */
  readonly #stations = new Map<string, AskedStation>();
  #answer: PromiseWithResolvers<HeadAnswer> | undefined;

  constructor(timeoutMs: number) {
    this.deadlineMs = performance.now() + timeoutMs;
  }

  get addresses(): StationAddress[] {
    return Array.from(this.#stations.values(), ({ address }) => address);
  }

  get answer(): Promise<HeadAnswer> {
    this.#answer ??= Promise.withResolvers();
    return this.#answer.promise;
  }

  /** All who read a station get the same promise: every list waits for one. */
  addReader(address: StationAddress): Promise<Head | undefined> {
    const station = this.#asked(address);
    station.head ??= Promise.withResolvers();
    return station.head.promise;
  }

  async add(address: StationAddress): Promise<KnownStation | undefined> {
    const { position } = this.#asked(address);
    return (await this.answer).stations[position];
  }

  /** The stations that someone reads. */
  *readStations(): Iterable<StationAddress> {
    for (const { address, head } of this.#stations.values()) if (head !== undefined) yield address;
  }

  resolve(answer: HeadAnswer): void {
    for (const { head, position } of this.#stations.values()) head?.resolve(answer.stations[position]?.head);
    this.#answer?.resolve(answer);
  }

  reject(error: unknown): void {
    for (const { head } of this.#stations.values()) head?.reject(error);
    this.#answer?.reject(error);
  }

  #asked(address: StationAddress): AskedStation {
    const key = stationKey(address);
    let station = this.#stations.get(key);
    if (station === undefined) {
      station = { address, position: this.#stations.size };
      this.#stations.set(key, station);
    }
    return station;
  }
}
