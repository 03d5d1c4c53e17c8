import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import type { StationAddress } from '@roster/contract';
import { Digest, type Head } from '@roster/engine';
import { answerRequests, Moved } from '../threads/answer-requests.ts';
import { FeedCursor } from './feed-cursor.ts';
import { OpenFeeds, ReadConnections } from './open-feeds.ts';
import { readHistory } from './read-history.ts';
import { buffersOf, decodeResources } from './read-rendered.ts';
import { readResource } from './read-resource.ts';
import type { ReaderRequests } from './reader-requests.ts';

const { directory, file } = workerData as { directory: string; file: string };
const connections = new ReadConnections(file);
const feeds = new OpenFeeds(connections);

answerRequests<ReaderRequests>({
  directory,
  handlers: {
    openFeed: ({ address, since }) => feeds.open(address, since),
    nextChunk: (feed) => {
      const chunk = feeds.next(feed);
      return new Moved(chunk, chunk.put ? buffersOf(chunk.put) : []);
    },
    closeFeed: (feed) => void feeds.close(feed),
    history: (request) => readOnce((db) => readHistory(db, request)),
    resource: (request) => readOnce((db) => readResource(db, request)),
    digest,
    close: () => void connections.closeAll(),
  },
});

/** Reads from one state of the database. */
function readOnce<T>(read: (db: DatabaseSync) => T): T {
  const db = connections.take();
  try {
    return read(db);
  } finally {
    connections.giveBack(db);
  }
}

async function digest(address: StationAddress): Promise<{ head: Head; digest: string }> {
  const db = connections.take();
  try {
    const cursor = new FeedCursor(db, address, undefined);
    const result = new Digest();
    for (let last = false; !last; ) {
      const chunk = cursor.next();
      if (chunk.put) result.addAll(decodeResources(chunk.put));
      last = chunk.last;
      await nextTurn();
    }
    return { head: cursor.head, digest: result.toString() };
  } finally {
    connections.giveBack(db);
  }
}
