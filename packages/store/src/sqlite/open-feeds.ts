import type { DatabaseSync } from 'node:sqlite';
import { RosterError, type StationAddress } from '@roster/contract';
import type { Head } from '@roster/engine';
import { FeedCursor } from './feed-cursor.ts';
import type { ReadConnections } from './read-connections.ts';
import type { EncodedPart, OpenedFeed } from './reader-requests.ts';

/** A feed that nobody reads on keeps the write-ahead log from being reused, so it ends at some point. */
const maxIdleMs = 5 * 60_000;

/** So many parts are read before they are asked for, since whoever asks may be busy with something else. */
const partsAhead = 8;

/** The feeds that are being read, each from one state of the database. */
export class OpenFeeds {
  readonly #connections: ReadConnections;
  readonly #feeds = new Map<number, OpenFeed>();
  /** Those to read ahead, in turn. */
  readonly #waiting = new Set<OpenFeed>();
  #turn: NodeJS.Immediate | undefined;
  #nextNumber = 1;

  constructor(connections: ReadConnections) {
    this.#connections = connections;
    setInterval(() => this.#closeIdle(), maxIdleMs / 10).unref();
  }

  open(address: StationAddress, since: Head | undefined): OpenedFeed {
    const feed = new OpenFeed(this.#connections, address, since);
    this.#feeds.set(this.#nextNumber, feed);
    this.#readAhead(feed);
    return { feed: this.#nextNumber++, head: feed.head, expectedSize: feed.expectedSize };
  }

  next(number: number): EncodedPart {
    const feed = this.#feeds.get(number);
    if (!feed) {
      throw new RosterError(
        'store_unavailable',
        `the feed was not read on for ${maxIdleMs / 60_000} minutes`,
      );
    }
    const part = feed.next();
    if (part.last) this.close(number);
    else this.#readAhead(feed);
    return part;
  }

  close(number: number): void {
    this.#feeds.get(number)?.close();
    this.#feeds.delete(number);
  }

  /** One part of one feed at a time, so that others get their turn. */
  #readAhead(feed: OpenFeed): void {
    if (feed.canReadAhead) this.#waiting.add(feed);
    const [next] = this.#waiting;
    if (!next || this.#turn) return;
    this.#turn = setImmediate(() => {
      this.#turn = undefined;
      this.#waiting.delete(next);
      if (next.canReadAhead) next.readAhead();
      this.#readAhead(next);
    });
  }

  #closeIdle(): void {
    const since = Date.now() - maxIdleMs;
    for (const [number, { lastUsedMs }] of this.#feeds) if (lastUsedMs < since) this.close(number);
  }
}

class OpenFeed {
  lastUsedMs = Date.now();
  readonly #connections: ReadConnections;
  readonly #cursor: FeedCursor;
  readonly #ahead: EncodedPart[] = [];
  #failure: unknown;
  /** Undefined when there is nothing left to read. */
  #db: DatabaseSync | undefined;

  constructor(connections: ReadConnections, address: StationAddress, since: Head | undefined) {
    this.#connections = connections;
    this.#db = connections.take();
    try {
      this.#cursor = new FeedCursor(this.#db, address, since);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  get head(): Head {
    return this.#cursor.head;
  }

  get expectedSize(): number {
    return this.#cursor.expectedSize;
  }

  get canReadAhead(): boolean {
    return this.#db !== undefined && !this.#failure && this.#ahead.length < partsAhead;
  }

  next(): EncodedPart {
    this.lastUsedMs = Date.now();
    if (this.#ahead.length === 0 && !this.#failure) this.readAhead();
    const part = this.#ahead.shift();
    if (!part) throw this.#failure;
    return part;
  }

  /** A failure is kept for whoever asks for the part: after some the same state could not be read again. */
  readAhead(): void {
    try {
      const part = this.#cursor.next();
      this.#ahead.push(part);
      if (part.last) this.close();
    } catch (error) {
      this.#failure = error;
    }
  }

  close(): void {
    const db = this.#db;
    this.#db = undefined;
    if (db) this.#connections.giveBack(db);
  }
}
