import { type StationAddress, stationKey } from '@roster/contract';
import type { BeforeVisible, Head, HeadMoved } from '@roster/engine';
import { Turns } from './turns.ts';

/** Tells the hook, and then the listener, of stations that have moved, one move of a station at a time. */
export class Announcements {
  readonly #turns = new Turns();
  /** The `rev_id` that the hook was last told for each station. */
  readonly #told = new Map<string, string>();
  #hook: BeforeVisible | undefined;
  #listener: HeadMoved | undefined;

  set listener(listener: HeadMoved) {
    this.#listener = listener;
  }

  set hook(hook: BeforeVisible) {
    this.#hook = hook;
  }

  /** Undefined stands for a station that is gone. Resolves when the hook has ended, whatever it met. */
  announce(address: StationAddress, head: Head | undefined): Promise<void> {
    const key = stationKey(address);
    if (head) this.#told.set(key, tokenOf(head));
    else this.#told.delete(key);
    return this.#turns.run(key, async () => {
      try {
        await this.#hook?.(address, head);
      } catch {
        // The write is durable whatever the hook meets; who needs the revision will meet it again.
      }
      this.#listener?.(address, head);
    });
  }

  /** For what another node may have done: a move that was announced already is not announced again. */
  async announceNews(address: StationAddress, head: Head | undefined): Promise<void> {
    const told = this.#told.get(stationKey(address));
    if (told !== (head && tokenOf(head))) await this.announce(address, head);
  }

  /** Resolves when all that was announced of a station before has been dealt with. */
  settled(address: StationAddress): Promise<void> {
    return this.#turns.run(stationKey(address), async () => undefined);
  }
}

function tokenOf({ epoch, revId }: Head): string {
  return `${epoch} ${revId}`;
}
