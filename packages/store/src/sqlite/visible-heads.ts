import { parseStationKey, type StationAddress, stationKey } from '@roster/contract';
import type { BeforeVisible, Head } from '@roster/engine';

/** The heads that readers see. A new one becomes visible after the hook, in commit order for each station. */
export class VisibleHeads {
  readonly #heads: Map<string, Head>;
  readonly #queues = new Map<string, Promise<void>>();
  #hook: BeforeVisible | undefined;

  constructor(heads: Map<string, Head>) {
    this.#heads = heads;
  }

  get(address: StationAddress): Head | undefined {
    return this.#heads.get(stationKey(address));
  }

  stations(): StationAddress[] {
    return Array.from(this.#heads.keys(), parseStationKey);
  }

  set hook(hook: BeforeVisible) {
    this.#hook = hook;
  }

  /** Call it in commit order. An undefined head stands for a station that is gone. */
  publish(address: StationAddress, head: Head | undefined): Promise<void> {
    return this.#enqueue(stationKey(address), async (key) => {
      try {
        await this.#hook?.(address, head);
      } catch {
        // The write is durable whatever the hook meets; who needs the revision will meet it again.
      }
      if (head) this.#heads.set(key, head);
      else this.#heads.delete(key);
    });
  }

  /** Resolves when all that was committed to the station before is visible. */
  async settled(address: StationAddress): Promise<void> {
    await this.#queues.get(stationKey(address));
  }

  async allSettled(): Promise<void> {
    await Promise.all(this.#queues.values());
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
