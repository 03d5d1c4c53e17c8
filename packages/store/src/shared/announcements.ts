import { type StationAddress, stationKey } from '@roster/contract';
import type { BeforeVisible, Head, HeadMoved, StationChanges } from '@roster/engine';
import { KeyedQueue } from './keyed-queue.ts';

interface Announced {
  readonly show?: () => void;
  readonly changes?: StationChanges | undefined;
}

/** Calls the hook and then the listener for each station that has moved, one move at a time per station. */
export class Announcements {
  hook: BeforeVisible | undefined;
  listener: HeadMoved | undefined;
  readonly #queue = new KeyedQueue();
  /** By station: the revision last announced. */
  readonly #told = new Map<string, string>();

  /** Without a head the station is gone. `show` runs after the hook, even if the hook fails. */
  announce(
    address: StationAddress,
    head: Head | undefined,
    { show, changes }: Announced = {},
  ): Promise<void> {
    const key = stationKey(address);
    if (head) this.#told.set(key, tokenOf(head));
    else this.#told.delete(key);
    return this.#queue.run(key, async () => {
      try {
        await this.hook?.(address, head, changes);
      } catch {
        // The write is durable even if the hook fails; a reader of the revision will meet the same failure.
      }
      show?.();
      this.listener?.(address, head);
    });
  }

  /** For writes of other nodes: a move already announced is skipped. */
  async announceNews(address: StationAddress, head: Head | undefined): Promise<void> {
    const told = this.#told.get(stationKey(address));
    if (told !== (head && tokenOf(head))) await this.announce(address, head);
  }

  /** Resolves when everything announced about a station before has been handled. */
  settled(address: StationAddress): Promise<void> {
    return this.#queue.run(stationKey(address), async () => undefined);
  }
}

function tokenOf({ epoch, revId }: Head): string {
  return `${epoch} ${revId}`;
}
