import type { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { answerRequests } from './answer-requests.ts';
import { BatchDesk } from './batch-desk.ts';
import { Checkpoints } from './checkpoints.ts';
import { compact } from './compact.ts';
import { renewGeneration } from './database-generation.ts';
import { openForWriting } from './open-database.ts';
import { createStation, deleteStation, removeResource } from './station-writes.ts';
import { addFirstToken, addToken, recordTokenUses, removeToken } from './token-table.ts';
import { deleteType, putTypes } from './type-catalog.ts';
import type { WriterRequests } from './writer-requests.ts';

const { directory, file, earlyFrom } = workerData as { directory: string; file: string; earlyFrom: number };

/** Temporary files never shrink; past this size they are given back as soon as no batch is open. */
const maxIdleTemporaryPages = 8192;

/** What commits nothing, and may have left a transaction open. */
const beforeCommit: ReadonlySet<keyof WriterRequests> = new Set([
  'openBatch',
  'addRecords',
  'validateBatch',
  'planBatch',
]);

interface Connection {
  readonly db: DatabaseSync;
  readonly desk: BatchDesk;
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
      desk().open(nextBatch, batch);
      return nextBatch++;
    },
    addRecords: ({ batch, records }) => void desk().add(batch, records),
    validateBatch: (batch) => desk().validate(batch),
    planBatch: ({ batch, maxChanges }) => desk().plan(batch, maxChanges),
    commitBatch: (batch) => desk().commit(batch),
    discardBatch: (batch) => void desk().discard(batch),
    removeResource: (removal) => removeResource(database(), removal),
    putTypes: (put) => putTypes(database(), put),
    deleteType: (deletion) => deleteType(database(), deletion),
    addToken: (token) => void addToken(database(), token),
    addFirstToken: (token) => addFirstToken(database(), token),
    removeToken: (id) => removeToken(database(), id),
    recordTokenUses: (uses) => void recordTokenUses(database(), uses),
    compact: (untilMs) => compact(database(), untilMs),
    close: () => void close(),
  },
  afterReply(kind) {
    if (!connection || beforeCommit.has(kind)) return;
    checkpoints.runIfDue(connection.db);
    if (connection.desk.isIdle && mustRenew(connection)) disconnect();
  },
});

function connect(): Connection {
  if (!connection) {
    const db = openForWriting(file);
    connection = { db, desk: new BatchDesk(db, earlyFrom) };
  }
  return connection;
}

/** For what is about a batch; it looks after early writes itself. */
function desk(): BatchDesk {
  return connect().desk;
}

/** For everything else. */
function database(): DatabaseSync {
  desk().giveUpEarlyWrite();
  return connect().db;
}

/** The next request connects again, and meets what is wrong if something is. */
function disconnect(): void {
  connection?.db.close();
  connection = undefined;
}

function mustRenew({ db, desk }: Connection): boolean {
  if (desk.isDamaged) return true;
  try {
    const row = db.prepare('PRAGMA temp.page_count').get() as { page_count: number };
    return row.page_count > maxIdleTemporaryPages;
  } catch {
    // After a full disk the temporary files may be beyond use.
    return true;
  }
}

function close(): void {
  try {
    const db = database();
    renewGeneration(db, directory, file);
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    disconnect();
  }
}
