import { type ChangePart, PackedResources } from '@roster/engine';
import { decodeResources } from './read-packed.ts';
import type { EncodedPart, ReaderRequests } from './reader-requests.ts';
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
      const { put, removed, last } = await (this.#requested ?? this.#request());
      if (last) this.#ended = true;
      else this.#requested = this.#request();
      return { done: false, value: { put: put ? decodeResources(put) : PackedResources.of([]), removed } };
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
