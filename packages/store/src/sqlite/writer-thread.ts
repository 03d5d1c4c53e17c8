import type { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { answerRequests } from './answer-requests.ts';
import { BatchDesk } from './batch-desk.ts';
import { checkpointIfDue } from './checkpoint.ts';
import { renewGeneration } from './database-generation.ts';
import { openForWriting } from './open-database.ts';
import { compact, createStation, deleteStation, removeResource } from './station-writes.ts';
import { putTypes } from './type-catalog.ts';
import type { WriterRequests } from './writer-requests.ts';

const { directory, file } = workerData as { directory: string; file: string };

/** Temporary files never shrink; past this size they are given back as soon as no batch is open. */
const maxIdleTemporaryPages = 8192;

let db = openForWriting(file);
let desk = new BatchDesk(db);
let nextBatch = 1;

answerRequests<WriterRequests>({
  directory,
  handlers: {
    createStation: (address) => createStation(db, address),
    deleteStation: (address) => deleteStation(db, address),
    openBatch: (address) => {
      desk.open(nextBatch, address);
      return nextBatch++;
    },
    addRecords: ({ batch, records }) => void desk.add(batch, records),
    validateBatch: (batch) => desk.validate(batch),
    commitBatch: (batch) => desk.commit(batch),
    discardBatch: (batch) => void desk.discard(batch),
    removeResource: ({ address, resourceId }) => removeResource(db, address, resourceId),
    putTypes: (types) => putTypes(db, types),
    compact: (keepMs) => void compact(db, keepMs),
    close: () => void close(),
  },
  afterReply() {
    checkpointIfDue(db, file);
    if (desk.isIdle && temporaryPages(db) > maxIdleTemporaryPages) renewConnection();
  },
});

function temporaryPages(connection: DatabaseSync): number {
  const row = connection.prepare('PRAGMA temp.page_count').get() as { page_count: number };
  return row.page_count;
}

function renewConnection(): void {
  db.close();
  db = openForWriting(file);
  desk = new BatchDesk(db);
}

function close(): void {
  try {
    renewGeneration(db, directory, file);
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
}
