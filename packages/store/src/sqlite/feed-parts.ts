import type { ChangePart } from '@roster/engine';
import type { EncodedPart, ReaderRequests } from './reader-requests.ts';
import { parseResources } from './resources-as-json.ts';
import type { WorkerChannel } from './worker-channel.ts';

/** Pulls a feed from the reader thread with one part on its way while the consumer works on another. */
export class FeedParts implements AsyncIterableIterator<ChangePart> {
  readonly #reader: WorkerChannel<ReaderRequests>;
  readonly #feed: number;
  #requested: Promise<EncodedPart> | undefined;
  #ended = false;

  constructor(reader: WorkerChannel<ReaderRequests>, feed: number) {
    this.#reader = reader;
    this.#feed = feed;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<ChangePart, undefined>> {
    if (this.#ended) return { done: true, value: undefined };
    try {
      const { resources, removed, last } = await (this.#requested ?? this.#request());
      if (last) this.#ended = true;
      else this.#requested = this.#request();
      return { done: false, value: { put: parseResources(resources), removed } };
    } catch (error) {
      await this.#close();
      throw error;
    }
  }

  async return(): Promise<IteratorResult<ChangePart, undefined>> {
    if (!this.#ended) await this.#close();
    return { done: true, value: undefined };
  }

  #request(): Promise<EncodedPart> {
    const requested = this.#reader.request('nextPart', this.#feed);
    // Whoever awaits it later sees the failure; nobody may, after an early return.
    requested.catch(() => undefined);
    return requested;
  }

  async #close(): Promise<void> {
    this.#ended = true;
    await this.#reader.request('closeFeed', this.#feed).catch(() => undefined);
  }
}
