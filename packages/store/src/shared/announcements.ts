import { type StationAddress, stationKey } from '@roster/contract';
import type {
  ArrivingStation,
  BeforeVisible,
  Head,
  HeadMoved,
  KnownFeed,
  KnownMove,
} from '@roster/engine/port';
import { KeyedQueue } from './keyed-queue.ts';
import { feedOf, joinChanges, type StationChanges } from './station-changes.ts';

/** What is known of a move, and how to show it. */
export interface Announced extends Omit<KnownMove, 'feed'> {
  readonly changes?: StationChanges | undefined;
  /** Instead of changes, if they take time to find out. It must not be rejected. */
  readonly feed?: Promise<KnownFeed | undefined> | undefined;
  readonly show?: () => void;
}

/** A move that has not been told of yet. */
interface WaitingMove {
  head: Head | undefined;
  readonly changes: StationChanges[];
  readonly feed: Announced['feed'];
  readonly arrived: ArrivingStation | undefined;
  show: (() => void) | undefined;
  told: Promise<void>;
}

/**
 * Calls the hook and then the listener for each station that has moved, one move at a time per station. Moves with
 * known changes that wait for each other are told as one.
 */
export class Announcements {
  hook: BeforeVisible | undefined;
  listener: HeadMoved | undefined;
  readonly #queue = new KeyedQueue();
  /** By station: the revision last announced. */
  readonly #told = new Map<string, string>();
  /** By station: the last move, while the next one can join it. */
  readonly #waiting = new Map<string, WaitingMove>();

  /** Without a head the station is gone. `show` runs after the hook, even if the hook fails. */
  announce(
    address: StationAddress,
    head: Head | undefined,
    { show, changes, feed, arrived }: Announced = {},
  ): Promise<void> {
    const key = stationKey(address);
    if (head) this.#told.set(key, tokenOf(head));
    else this.#told.delete(key);
    const last = this.#waiting.get(key);
    if (last?.head && changes && tokenOf(last.head) === tokenOf(changes.since)) {
      last.head = head;
      last.changes.push(changes);
      last.show = show;
      return last.told;
    }
    this.#waiting.delete(key);
    const known = { changes: changes ? [changes] : [], feed, arrived };
    const move: WaitingMove = { head, ...known, show, told: Promise.resolve() };
    move.told = this.#queue.run(key, () => this.#tell(address, move));
    if (changes) this.#waiting.set(key, move);
    return move.told;
  }

  async #tell(address: StationAddress, move: WaitingMove): Promise<void> {
    const key = stationKey(address);
    if (this.#waiting.get(key) === move) this.#waiting.delete(key);
    const { head, changes, arrived, show } = move;
    const isKnown = head !== undefined && changes.length > 0;
    try {
      const feed = isKnown ? feedOf(head, joinChanges(changes)) : await move.feed;
      await this.hook?.(address, head, { feed, arrived });
    } catch {
      // The write is durable even if the hook fails; a reader of the revision will meet the same failure.
    }
    show?.();
    this.listener?.(address, head);
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
