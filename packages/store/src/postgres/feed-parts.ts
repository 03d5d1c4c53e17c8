import type { ChangePart } from '@roster/engine';
import type { AnswerWatch } from './answer-watch.ts';
import type { Lease } from './connection-pool.ts';
import type { FeedCursor } from './feed-cursor.ts';
import { translateError } from './translate-error.ts';

interface OpenFeed {
  readonly lease: Lease;
  readonly cursor: FeedCursor;
  readonly answers: AnswerWatch;
  readonly server: string;
}

/** Reads a feed with one part on its way while the consumer works on another, and gives the connection back. */
export class FeedParts implements AsyncIterableIterator<ChangePart> {
  readonly #feed: OpenFeed;
  #requested: Promise<ChangePart | undefined> | undefined;
  #ended = false;

  constructor(feed: OpenFeed) {
    this.#feed = feed;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<ChangePart, undefined>> {
    if (this.#ended) return { done: true, value: undefined };
    try {
      const part = await (this.#requested ?? this.#request());
      if (part === undefined) return await this.return();
      this.#requested = this.#request();
      return { done: false, value: part };
    } catch (error) {
      this.#ended = true;
      this.#feed.lease.giveBack(error);
      throw translateError(error, this.#feed.server);
    }
  }

  async return(): Promise<IteratorResult<ChangePart, undefined>> {
    if (!this.#ended) {
      this.#ended = true;
      await this.#close();
    }
    return { done: true, value: undefined };
  }

  #request(): Promise<ChangePart | undefined> {
    const { lease, cursor, answers } = this.#feed;
    const requested = answers.run(lease.client, () => cursor.next());
    // Whoever awaits it later sees the failure; nobody may, after an early return.
    requested.catch(() => undefined);
    return requested;
  }

  async #close(): Promise<void> {
    const { lease, answers } = this.#feed;
    try {
      await answers.run(lease.client, () => lease.client.query('ROLLBACK'));
      lease.giveBack();
    } catch (error) {
      lease.giveBack(error);
    }
  }
}
