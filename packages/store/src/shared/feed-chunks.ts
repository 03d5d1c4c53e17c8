import { type FeedChunk, RenderedResources } from '@roster/engine';
import type { EncodedChunk } from '../reader/feed-cursor.ts';
import { buffersOf, decodeResources } from '../reader/read-rendered.ts';
import type { ReaderHandlers } from '../reader/reader-thread.ts';
import type { WorkerChannel } from '../threads/worker-channel.ts';

/** Reads a feed from the reader thread, one chunk ahead of the consumer. */
export class FeedChunks implements AsyncIterableIterator<FeedChunk> {
  readonly #reader: WorkerChannel<ReaderHandlers>;
  readonly #feed: number;
  #requested: Promise<EncodedChunk> | undefined;
  /** The chunk that the consumer works on. */
  #given: EncodedChunk | undefined;
  #ended = false;

  constructor(reader: WorkerChannel<ReaderHandlers>, feed: number) {
    this.#reader = reader;
    this.#feed = feed;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<FeedChunk, undefined>> {
    if (this.#ended) return this.return();
    try {
      this.#release();
      const chunk = await (this.#requested ?? this.#request());
      this.#given = chunk;
      const { put, removed, last } = chunk;
      if (last) this.#ended = true;
      else this.#requested = this.#request();
      return { done: false, value: { put: put ? decodeResources(put) : RenderedResources.of([]), removed } };
    } catch (error) {
      await this.#close();
      throw error;
    }
  }

  async return(): Promise<IteratorResult<FeedChunk, undefined>> {
    if (this.#ended) this.#release();
    else await this.#close();
    return { done: true, value: undefined };
  }

  /** Frees a chunk now: many could pile up before the next garbage collection. */
  #release(): void {
    const put = this.#given?.put;
    this.#given = undefined;
    if (put) for (const buffer of buffersOf(put)) if (!buffer.detached) buffer.transfer(0);
  }

  #request(): Promise<EncodedChunk> {
    const requested = this.#reader.request('nextChunk', this.#feed);
    // A later `await` sees the failure; after an early return there may be none.
    requested.catch(() => undefined);
    return requested;
  }

  async #close(): Promise<void> {
    this.#ended = true;
    this.#release();
    await this.#reader.request('closeFeed', this.#feed).catch(() => undefined);
  }
}
