import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { closeOnError } from '../database/open-database.ts';
import { DatabaseFiles, type OpenedFiles } from '../directory/database-files.ts';
import { answerRequests } from '../threads/answer-requests.ts';

export interface CheckpointData {
  readonly directory: string;
  readonly file: string;
  readonly opened: OpenedFiles;
}

const { directory, file, opened } = workerData as CheckpointData;
let db: DatabaseSync | undefined;

const handlers = { copyLog, close: () => db?.close() };

export type CheckpointHandlers = typeof handlers;

answerRequests({ directory, handlers });

/** Twice, because more is written during the first time than during the second. */
function copyLog(): void {
  db ??= openDatabase();
  db.exec('PRAGMA wal_checkpoint(PASSIVE)');
  db.exec('PRAGMA wal_checkpoint(PASSIVE)');
}

/** Looks first: closing the only connection to a replaced database would copy our log into it and delete the log. */
function openDatabase(): DatabaseSync {
  const files = new DatabaseFiles(file, opened);
  files.requireInPlace();
  const connection = new DatabaseSync(file);
  return closeOnError(connection, () => {
    connection.exec('PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0');
    files.requireInPlace();
    return connection;
  });
}
