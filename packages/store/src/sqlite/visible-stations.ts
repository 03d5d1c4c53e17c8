import { type StationAddress, stationKey } from '@roster/contract';
import type {
  BeforeVisible,
  Head,
  HeadMoved,
  Station,
  StationCounts,
  StationPage,
  StationQuery,
} from '@roster/engine';
import { selectStations } from './select-stations.ts';

/** What a write made of a station. */
export interface StationState {
  readonly head: Head;
  readonly counts: StationCounts;
}

/** A place that stays the same while its station changes, so that the order need not be made anew. */
interface Entry {
  station: Station;
}

/** The stations that readers see. A new state becomes visible after the hook, in commit order for each station. */
export class VisibleStations {
  readonly #entries = new Map<string, Entry>();
  readonly #queues = new Map<string, Promise<void>>();
  /** Undefined after a station came or went. */
  #sorted: readonly Entry[] | undefined;
  #hook: BeforeVisible | undefined;
  #listener: HeadMoved | undefined;

  constructor(stations: readonly Station[]) {
    for (const station of stations) this.#entries.set(stationKey(station.address), { station });
  }

  get(address: StationAddress): Station | undefined {
    return this.#entries.get(stationKey(address))?.station;
  }

  select(query: StationQuery): StationPage {
    this.#sorted ??= this.#sort();
    return selectStations(this.#sorted, query);
  }

  set hook(hook: BeforeVisible) {
    this.#hook = hook;
  }

  set listener(listener: HeadMoved) {
    this.#listener = listener;
  }

  /** Call it in commit order. An undefined state stands for a station that is gone. */
  publish(address: StationAddress, state: StationState | undefined): Promise<void> {
    return this.#enqueue(stationKey(address), async (key) => {
      try {
        await this.#hook?.(address, state?.head);
      } catch {
        // The write is durable whatever the hook meets; who needs the revision will meet it again.
      }
      this.#set(key, state && { address, ...state });
      this.#listener?.(address, state?.head);
    });
  }

  /** Resolves when all that was committed to the station before is visible. */
  async settled(address: StationAddress): Promise<void> {
    await this.#queues.get(stationKey(address));
  }

  #set(key: string, station: Station | undefined): void {
    const entry = this.#entries.get(key);
    if (entry && station) {
      entry.station = station;
      return;
    }
    if (station) this.#entries.set(key, { station });
    else this.#entries.delete(key);
    this.#sorted = undefined;
  }

  /** A key is the names with a separator below all characters, so it sorts as they do one after the other. */
  #sort(): Entry[] {
    const keys = [...this.#entries.keys()].sort();
    return keys.map((key) => this.#entries.get(key)!);
  }

  #enqueue(key: string, step: (key: string) => Promise<void>): Promise<void> {
    const queued = (this.#queues.get(key) ?? Promise.resolve()).then(() => step(key));
    this.#queues.set(key, queued);
    void queued.finally(() => {
      if (this.#queues.get(key) === queued) this.#queues.delete(key);
    });
    return queued;
  }
}
