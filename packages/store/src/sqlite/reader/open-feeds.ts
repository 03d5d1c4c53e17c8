import type { DatabaseSync } from 'node:sqlite';
import type { StationAddress } from '@roster/contract';
import type { Head, StationPart } from '@roster/engine/port';
import { storeUnavailable } from '../../shared/store-errors.ts';
import { openForReading } from '../database/open-database.ts';
import { rollBack } from '../database/run-transaction.ts';
import { type EncodedChunk, FeedCursor } from './feed-cursor.ts';

/** An abandoned feed keeps the write-ahead log from being reused, so it is closed eventually. */
const maxIdleMs = 5 * 60_000;

/** Chunks read ahead, because the consumer may be busy. */
const chunksAhead = 8;

/** The feeds being read, each from one state of the database. */
export class OpenFeeds {
  readonly #connections: ReadConnections;
  readonly #feeds = new Map<number, OpenFeed>();
  /** Feeds that can be read ahead, served round-robin. */
  readonly #waiting = new Set<OpenFeed>();
  #turn: NodeJS.Immediate | undefined;
  #nextNumber = 1;

  constructor(connections: ReadConnections) {
    this.#connections = connections;
    setInterval(() => this.#closeIdle(), maxIdleMs / 10).unref();
  }

  open(address: StationAddress, since?: Head, part?: StationPart) {
    const db = this.#connections.take();
    const feed = new OpenFeed(this.#connections, db, () => new FeedCursor(db, address, since, part));
    this.#feeds.set(this.#nextNumber, feed);
    this.#readAhead(feed);
    const { head, size } = feed.cursor;
    return { feed: this.#nextNumber++, head, size };
  }

  next(number: number): EncodedChunk {
    const feed = this.#feeds.get(number);
    if (!feed) {
      throw storeUnavailable(`the feed was idle for ${maxIdleMs / 60_000} minutes`);
    }
    const chunk = feed.next();
    if (chunk.last) this.close(number);
    else this.#readAhead(feed);
    return chunk;
  }

  close(number: number): void {
    this.#feeds.get(number)?.close();
    this.#feeds.delete(number);
  }

  /** One chunk of one feed at a time, to let other requests in. */
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
  readonly cursor: FeedCursor;
  lastUsedMs = Date.now();
  readonly #connections: ReadConnections;
  readonly #ahead: EncodedChunk[] = [];
  #failure: unknown;
  /** Undefined when there is nothing left to read. */
  #db: DatabaseSync | undefined;

  constructor(connections: ReadConnections, db: DatabaseSync, openCursor: () => FeedCursor) {
    this.#connections = connections;
    this.#db = db;
    try {
      this.cursor = openCursor();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  get canReadAhead(): boolean {
    return this.#db !== undefined && !this.#failure && this.#ahead.length < chunksAhead;
  }

  next(): EncodedChunk {
    this.lastUsedMs = Date.now();
    if (this.#ahead.length === 0 && !this.#failure) this.readAhead();
    const chunk = this.#ahead.shift();
    if (!chunk) throw this.#failure;
    return chunk;
  }

  /** Kept until the chunk is requested: after some failures the same state cannot be read again. */
  readAhead(): void {
    try {
      const chunk = this.cursor.next();
      this.#ahead.push(chunk);
      if (chunk.last) this.close();
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

const maxIdle = 4;

/** Connections that hold one read transaction each while taken. */
export class ReadConnections {
  readonly #file: string;
  readonly #idle: DatabaseSync[] = [];
  readonly #taken = new Set<DatabaseSync>();

  constructor(file: string) {
    this.#file = file;
  }

  /** All reads on the connection see one state, that of the first read. */
  take(): DatabaseSync {
    const db = this.#idle.pop() ?? openForReading(this.#file);
    this.#taken.add(db);
    db.exec('BEGIN');
    return db;
  }

  giveBack(db: DatabaseSync): void {
    this.#taken.delete(db);
    rollBack(db);
    if (this.#idle.length < maxIdle) this.#idle.push(db);
    else db.close();
  }

  closeAll(): void {
    for (const db of [...this.#idle, ...this.#taken]) db.close();
    this.#idle.length = 0;
    this.#taken.clear();
  }
}
