import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import { RosterError, type StationAddress } from '@roster/contract';
import { Digest, type Head } from '@roster/engine';
import { answerRequests, Moved } from './answer-requests.ts';
import { FeedCursor } from './feed-cursor.ts';
import { ReadConnections } from './read-connections.ts';
import { readHistory } from './read-history.ts';
import { buffersOf, decodeResources } from './read-packed.ts';
import { readResource } from './read-resource.ts';
import type { EncodedPart, ReaderRequests } from './reader-requests.ts';
import { listTokens } from './token-table.ts';

interface OpenFeed {
  readonly db: DatabaseSync;
  readonly cursor: FeedCursor;
  lastUsedMs: number;
}

/** A feed that nobody reads on keeps the write-ahead log from being reused, so it ends at some point. */
const maxIdleMs = 5 * 60_000;

const { directory, file } = workerData as { directory: string; file: string };
const connections = new ReadConnections(file);
const feeds = new Map<number, OpenFeed>();
let nextFeed = 1;

answerRequests<ReaderRequests>({
  directory,
  handlers: {
    openFeed: ({ address, since }) => {
      const { db, cursor } = openCursor(address, since);
      feeds.set(nextFeed, { db, cursor, lastUsedMs: Date.now() });
      return { feed: nextFeed++, head: cursor.head };
    },
    nextPart,
    closeFeed: (feed) => void closeFeed(feed),
    history: (request) => readOnce((db) => readHistory(db, request)),
    resource: (request) => readOnce((db) => readResource(db, request)),
    tokens: () => readOnce(listTokens),
    digest,
    close: () => {
      clearInterval(sweep);
      connections.closeAll();
      return undefined;
    },
  },
});

const sweep = setInterval(() => {
  for (const [feed, { lastUsedMs }] of feeds) if (Date.now() - lastUsedMs > maxIdleMs) closeFeed(feed);
}, maxIdleMs / 10);
sweep.unref();

function openCursor(address: StationAddress, since?: Head): { db: DatabaseSync; cursor: FeedCursor } {
  const db = connections.take();
  try {
    return { db, cursor: new FeedCursor(db, address, since) };
  } catch (error) {
    connections.giveBack(db);
    throw error;
  }
}

/** Reads from one state of the database. */
function readOnce<T>(read: (db: DatabaseSync) => T): T {
  const db = connections.take();
  try {
    return read(db);
  } finally {
    connections.giveBack(db);
  }
}

function nextPart(feed: number): Moved<EncodedPart> {
  const open = feeds.get(feed);
  if (!open) {
    throw new RosterError('store_unavailable', `the feed was not read on for ${maxIdleMs / 60_000} minutes`);
  }
  open.lastUsedMs = Date.now();
  const part = open.cursor.next();
  if (part.last) closeFeed(feed);
  return new Moved(part, part.put ? buffersOf(part.put) : []);
}

function closeFeed(feed: number): void {
  const open = feeds.get(feed);
  if (!open) return;
  feeds.delete(feed);
  connections.giveBack(open.db);
}

async function digest(address: StationAddress): Promise<{ head: Head; digest: string }> {
  const { db, cursor } = openCursor(address);
  try {
    const result = new Digest();
    for (let last = false; !last; ) {
      const part = cursor.next();
      if (part.put) result.addPacked(decodeResources(part.put));
      last = part.last;
      await nextTurn();
    }
    return { head: cursor.head, digest: result.toString() };
  } finally {
    connections.giveBack(db);
  }
}
