import type { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { countedWrites } from '../database/meta-table.ts';
import { closeOnError, openForWriting } from '../database/open-database.ts';
import {
  addFirstToken,
  addToken,
  listTokens,
  recordTokenUses,
  removeToken,
} from '../database/token-table.ts';
import { deleteType, putTypes } from '../database/type-catalog.ts';
import { DatabaseFiles, type OpenedFiles } from '../directory/database-files.ts';
import { WriteMark } from '../directory/write-mark.ts';
import { answerRequests } from '../threads/answer-requests.ts';
import { Checkpoints } from './checkpoints.ts';
import { compact } from './compact.ts';
import { OpenBatches } from './open-batches.ts';
import { createStation, deleteStation, removeResource } from './station-writes.ts';
import type { TokenWrite, WriterRequests } from './writer-requests.ts';

interface WriterData {
  readonly directory: string;
  readonly file: string;
  readonly opened: OpenedFiles;
  readonly earlyFrom: number;
}

const { directory, file, opened, earlyFrom } = workerData as WriterData;
const files = new DatabaseFiles(file, opened);
const mark = new WriteMark(directory);

/** Temporary files never shrink; beyond this size they are released once no batch is open. */
const maxIdleTemporaryPages = 8192;

/** Requests that commit nothing and may leave a transaction open. */
const beforeCommit: ReadonlySet<keyof WriterRequests> = new Set([
  'openBatch',
  'addRecords',
  'validateBatch',
  'planBatch',
]);

interface Connection {
  readonly db: DatabaseSync;
  readonly batches: OpenBatches;
}

const checkpoints = new Checkpoints(file);
let connection: Connection | undefined;
let nextBatch = 1;

answerRequests<WriterRequests>({
  directory,
  handlers: {
    createStation: (address) => createStation(database(), address),
    deleteStation: (station) => deleteStation(database(), station),
    openBatch: (batch) => {
      batches().open(nextBatch, batch);
      return nextBatch++;
    },
    addRecords: ({ batch, records }) => void batches().add(batch, records),
    validateBatch: (batch) => batches().validate(batch),
    planBatch: ({ batch, maxChanges }) => batches().plan(batch, maxChanges),
    commitBatch: (batch) => batches().commit(batch),
    discardBatch: (batch) => void batches().discard(batch),
    removeResource: (removal) => removeResource(database(), removal),
    putTypes: (put) => putTypes(database(), put),
    deleteType: (deletion) => deleteType(database(), deletion),
    addToken: (token) => writeTokens((db) => addToken(db, token)),
    addFirstToken: (token) => writeTokens((db) => addFirstToken(db, token)),
    removeToken: (removal) => writeTokens((db) => removeToken(db, removal)),
    recordTokenUses: (uses) => writeTokens((db) => recordTokenUses(db, uses)),
    compact: (untilMs) => compact(database(), untilMs),
    close: () => void close(),
  },
  beforeReply(kind) {
    if (connection && !beforeCommit.has(kind)) mark.advance(countedWrites(connection.db) ?? 0);
  },
  afterReply(kind) {
    if (!connection || beforeCommit.has(kind)) return;
    checkpoints.runIfDue(connection.db);
    if (connection.batches.isIdle && mustRenew(connection)) disconnect();
  },
});

function connect(): Connection {
  connection ??= openConnection();
  return connection;
}

function openConnection(): Connection {
  const db = openForWriting(file);
  return closeOnError(db, () => {
    files.requireInPlace();
    return { db, batches: new OpenBatches(db, earlyFrom) };
  });
}

/** For requests about a batch, which handle early writes themselves. */
function batches(): OpenBatches {
  return connect().batches;
}

/** For all other requests. */
function database(): DatabaseSync {
  batches().giveUpEarlyWrite();
  return connect().db;
}

function writeTokens<T>(write: (db: DatabaseSync) => T): TokenWrite<T> {
  const db = database();
  return { result: write(db), tokens: listTokens(db) };
}

/** The next request connects again. */
function disconnect(): void {
  connection?.db.close();
  connection = undefined;
}

function mustRenew({ db, batches }: Connection): boolean {
  if (batches.isDamaged) return true;
  try {
    const row = db.prepare('PRAGMA temp.page_count').get() as { page_count: number };
    return row.page_count > maxIdleTemporaryPages;
  } catch {
    // After a full disk the temporary files may be unusable.
    return true;
  }
}

function close(): void {
  try {
    connection?.batches.giveUpEarlyWrite();
    connection?.db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    disconnect();
    mark.close();
  }
}
