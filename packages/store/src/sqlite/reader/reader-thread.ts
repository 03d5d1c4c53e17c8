import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import type { StationAddress } from '@roster/contract';
import { Digest, type Head, type StationPart } from '@roster/engine/port';
import { noteVersions, readNote } from '../database/note-table.ts';
import { readTrends } from '../database/trend-table.ts';
import { answerRequests, Moved } from '../threads/answer-requests.ts';
import type { FlatRows } from '../writer/flat-records.ts';
import { FeedCursor } from './feed-cursor.ts';
import { OpenFeeds, ReadConnections } from './open-feeds.ts';
import { readHistory } from './read-history.ts';
import { readParts } from './read-parts.ts';
import { buffersOf, decodeResources } from './read-rendered.ts';
import { readResource } from './read-resource.ts';
import { type RecordDefaults, type RecordsToMerge, renderMerged, renderRecords } from './render-records.ts';

const { directory, file } = workerData as { directory: string; file: string };
const connections = new ReadConnections(file);
const feeds = new OpenFeeds(connections);

const handlers = {
  openFeed: (address: StationAddress, since: Head | undefined, part: StationPart) =>
    feeds.open(address, since, part),
  nextChunk: (feed: number) => {
    const chunk = feeds.next(feed);
    return new Moved(chunk, chunk.put ? buffersOf(chunk.put) : []);
  },
  closeFeed: (feed: number) => feeds.close(feed),
  renderRecords: (rows: FlatRows, defaults: RecordDefaults) => {
    const rendered = renderRecords(rows, defaults);
    return new Moved(rendered, buffersOf(rendered));
  },
  renderMerged: readingOnce((db, records: RecordsToMerge) => {
    const merged = renderMerged(db, records);
    return new Moved(merged, merged ? buffersOf(merged.put) : []);
  }),
  readParts: readingOnce(readParts),
  history: readingOnce(readHistory),
  resource: readingOnce(readResource),
  noteVersions: readingOnce(noteVersions),
  readNote: readingOnce(readNote),
  trends: readingOnce(readTrends),
  digest,
  close: () => connections.closeAll(),
};

export type ReaderHandlers = typeof handlers;

answerRequests({ directory, handlers });

/** Reads from one state of the database. */
function readingOnce<Input extends unknown[], T>(read: (db: DatabaseSync, ...input: Input) => T) {
  return (...input: Input): T => {
    const db = connections.take();
    try {
      return read(db, ...input);
    } finally {
      connections.giveBack(db);
    }
  };
}

async function digest(address: StationAddress): Promise<{ head: Head; digest: string }> {
  const db = connections.take();
  try {
    const cursor = new FeedCursor(db, address);
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
