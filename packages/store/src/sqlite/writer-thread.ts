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

const { directory, file } = workerData as { directory: string; file: string };

/** Temporary files never shrink; past this size they are given back as soon as no batch is open. */
const maxIdleTemporaryPages = 8192;

/** What leaves the database itself as it is. */
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
    createStation: (address) => createStation(connect().db, address),
    deleteStation: (station) => deleteStation(connect().db, station),
    openBatch: (batch) => {
      connect().desk.open(nextBatch, batch);
      return nextBatch++;
    },
    addRecords: ({ batch, records }) => void connect().desk.add(batch, records),
    validateBatch: (batch) => connect().desk.validate(batch),
    planBatch: ({ batch, maxChanges }) => connect().desk.plan(batch, maxChanges),
    commitBatch: (batch) => connect().desk.commit(batch),
    discardBatch: (batch) => void connect().desk.discard(batch),
    removeResource: (removal) => removeResource(connect().db, removal),
    putTypes: (put) => putTypes(connect().db, put),
    deleteType: (deletion) => deleteType(connect().db, deletion),
    addToken: (token) => void addToken(connect().db, token),
    addFirstToken: (token) => addFirstToken(connect().db, token),
    removeToken: (id) => removeToken(connect().db, id),
    recordTokenUses: (uses) => void recordTokenUses(connect().db, uses),
    compact: (untilMs) => compact(connect().db, untilMs),
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
    connection = { db, desk: new BatchDesk(db) };
  }
  return connection;
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
    const { db } = connect();
    renewGeneration(db, directory, file);
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    disconnect();
  }
}
