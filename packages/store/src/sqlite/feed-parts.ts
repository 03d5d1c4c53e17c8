import { type ChangePart, PackedResources } from '@roster/engine';
import { buffersOf, decodeResources } from './read-packed.ts';
import type { EncodedPart, ReaderRequests } from './reader-requests.ts';
import type { WorkerChannel } from './worker-channel.ts';

/** Pulls a feed from the reader thread with one part on its way while the consumer works on another. */
export class FeedParts implements AsyncIterableIterator<ChangePart> {
  readonly #reader: WorkerChannel<ReaderRequests>;
  readonly #feed: number;
  #requested: Promise<EncodedPart> | undefined;
  /** What the consumer works on. */
  #given: EncodedPart | undefined;
  #ended = false;

  constructor(reader: WorkerChannel<ReaderRequests>, feed: number) {
    this.#reader = reader;
    this.#feed = feed;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<ChangePart, undefined>> {
    if (this.#ended) return this.return();
    try {
      this.#release();
      const part = await (this.#requested ?? this.#request());
      this.#given = part;
      const { put, removed, last } = part;
      if (last) this.#ended = true;
      else this.#requested = this.#request();
      return { done: false, value: { put: put ? decodeResources(put) : PackedResources.of([]), removed } };
    } catch (error) {
      await this.#close();
      throw error;
    }
  }

  async return(): Promise<IteratorResult<ChangePart, undefined>> {
    if (this.#ended) this.#release();
    else await this.#close();
    return { done: true, value: undefined };
  }

  /** Gives the memory of a part back at once: until garbage is next collected there could be many of them. */
  #release(): void {
    const put = this.#given?.put;
    this.#given = undefined;
    if (put) for (const buffer of buffersOf(put)) if (!buffer.detached) buffer.transfer(0);
  }

  #request(): Promise<EncodedPart> {
    const requested = this.#reader.request('nextPart', this.#feed);
    // Whoever awaits it later sees the failure; nobody may, after an early return.
    requested.catch(() => undefined);
    return requested;
  }

  async #close(): Promise<void> {
    this.#ended = true;
    this.#release();
    await this.#reader.request('closeFeed', this.#feed).catch(() => undefined);
  }
}
