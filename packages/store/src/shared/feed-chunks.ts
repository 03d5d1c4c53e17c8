import type { FeedChunk } from '@roster/engine/port';

interface ChunkSource {
  /** Undefined after the last chunk. */
  next(): Promise<FeedChunk | undefined>;
  /** Called with a chunk that the consumer is done with. */
  release?(chunk: FeedChunk): void;
  /** Called once, however the feed ends. */
  close(failure?: unknown): Promise<void>;
}

const done = { done: true, value: undefined } as const;

/**
 * Reads a feed one chunk ahead of the consumer. Not a generator: those do not notice being left before their first
 * value.
 */
export class FeedChunks implements AsyncIterableIterator<FeedChunk> {
  readonly #source: ChunkSource;
  #requested: Promise<FeedChunk | undefined> | undefined;
  /** The chunk that the consumer works on. */
  #given: FeedChunk | undefined;
  #ended = false;

  constructor(source: ChunkSource) {
    this.#source = source;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<FeedChunk, undefined>> {
    if (this.#ended) return done;
    try {
      this.#release();
      this.#given = await (this.#requested ?? this.#request());
      if (this.#given === undefined) return await this.return();
      this.#requested = this.#request();
      return { done: false, value: this.#given };
    } catch (error) {
      await this.#end(error);
      throw error;
    }
  }

  async return(): Promise<IteratorResult<FeedChunk, undefined>> {
    await this.#end();
    return done;
  }

  #request(): Promise<FeedChunk | undefined> {
    const requested = this.#source.next();
    // A later `await` sees the failure; after an early return there may be none.
    requested.catch(() => undefined);
    return requested;
  }

  #release(): void {
    if (this.#given) this.#source.release?.(this.#given);
    this.#given = undefined;
  }

  async #end(failure?: unknown): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    this.#release();
    await this.#source.close(failure);
  }
}
