import { type Resource, RosterError, type StationAddress } from '@roster/contract';
import type { Head, Store } from '@roster/engine';
import { backgroundSlicer } from '../background-slicer.ts';
import type { TieRule } from '../config/source.ts';
import { TieIndex } from './tie-index.ts';

const resourcesPerClockCheck = 32;

/** Is told of every resource of a station. */
export interface ResourceFollower {
  put(resource: Resource): void;
  remove(resourceId: string): void;
  clear(): void;
}

interface Followed {
  readonly address: StationAddress;
  readonly rules: readonly TieRule[];
  readonly store: Pick<Store, 'feed'>;
  /** Besides the index. */
  readonly followers?: readonly ResourceFollower[];
}

/** Keeps the resources of a station up to date with the store. */
export class StationResources {
  readonly address: StationAddress;
  readonly index: TieIndex;
  readonly #store: Pick<Store, 'feed'>;
  readonly #followers: readonly ResourceFollower[];
  #head: Head | undefined;
  #isMissing = false;
  #refreshing: Promise<void> = Promise.resolve();

  constructor({ address, rules, store, followers = [] }: Followed) {
    this.address = address;
    this.index = new TieIndex(rules);
    this.#store = store;
    this.#followers = [this.index, ...followers];
  }

  /** The revision of the resources; undefined while there is no such station. */
  get head(): Head | undefined {
    return this.#head;
  }

  /** Whether there was no such station when it was last read. */
  get isMissing(): boolean {
    return this.#isMissing;
  }

  /**
   * Brings it to the newest revision. Throws what the store throws, but for a station that is missing. One at a time:
   * several pollers may ask for it, and two feeds that are read at once would mix.
   */
  refresh(): Promise<void> {
    const next = this.#refreshing.catch(() => undefined).then(() => this.#refresh());
    this.#refreshing = next;
    return next;
  }

  async #refresh(): Promise<void> {
    try {
      await this.#read(this.#head);
      this.#isMissing = false;
    } catch (error) {
      if (!(error instanceof RosterError)) throw error;
      this.#isMissing = error.code === 'station_not_found';
      if (this.#isMissing) this.#forget();
      else if (error.code === 'revision_expired') await this.#readAnew();
      else throw error;
    }
  }

  async #readAnew(): Promise<void> {
    this.#forget();
    await this.#refresh();
  }

  /** Until it is read to the end, it has to be read anew. */
  async #read(since: Head | undefined): Promise<void> {
    const feed = await this.#store.feed(this.address, since);
    this.#head = undefined;
    if (since === undefined) this.#clear();
    const slicer = backgroundSlicer();
    let count = 0;
    for await (const { put, removed } of feed.chunks) {
      for (const id of removed) for (const follower of this.#followers) follower.remove(id);
      for (const resource of put) {
        for (const follower of this.#followers) follower.put(resource);
        if (++count % resourcesPerClockCheck === 0 && slicer.isDue) await slicer.pause();
      }
    }
    this.#head = feed.head;
  }

  #forget(): void {
    this.#head = undefined;
    this.#clear();
  }

  #clear(): void {
    for (const follower of this.#followers) follower.clear();
  }
}
