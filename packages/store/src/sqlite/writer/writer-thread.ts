import type { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import type { BatchOptions, Station, StoredToken } from '@roster/engine/port';
import type { DirectWrite } from '../../shared/direct/direct-write.ts';
import { prepareCountedWrites } from '../database/meta-table.ts';
import { removeNotes, writeNote } from '../database/note-table.ts';
import { closeOnError, openForWriting } from '../database/open-database.ts';
import {
  addFirstToken,
  addToken,
  listTokens,
  recordTokenUses,
  removeToken,
} from '../database/token-table.ts';
import { translateError } from '../database/translate-error.ts';
import { addTrends, forgetTrends, isSampled, sampleTrends } from '../database/trend-table.ts';
import { deleteType, putTypes } from '../database/type-catalog.ts';
import { putView, removeView } from '../database/view-table.ts';
import { DatabaseFiles, type OpenedFiles } from '../directory/database-files.ts';
import { WriteMark } from '../directory/write-mark.ts';
import { answerRequests, encodeError } from '../threads/answer-requests.ts';
import { Checkpoints } from './checkpoints.ts';
import { compactHistory } from './compact-history.ts';
import type { FlatRecords } from './flat-records.ts';
import { OpenBatches } from './open-batches.ts';
import { SharedCommit } from './shared-commit.ts';
import { createStation, deleteStation } from './station-writes.ts';

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

/** Trends go without samples for no longer than this. */
const longImportMs = 600_000;

interface Connection {
  readonly db: DatabaseSync;
  readonly batches: OpenBatches;
  readonly commits: SharedCommit;
  readonly countedWrites: () => number | undefined;
}

const checkpoints = new Checkpoints({ directory, file, opened });
let connection: Connection | undefined;
let nextBatch = 1;

const handlers = {
  createStation: writing(createStation),
  deleteStation: writing(deleteStation),
  openBatch: ({ address, head }: Pick<Station, 'address' | 'head'>, options: BatchOptions) => {
    batches().open(nextBatch, { address, epoch: head.epoch, options });
    return nextBatch++;
  },
  addRecords: (batch: number, records: FlatRecords) => batches().add(batch, records),
  /** These three return undefined while there is more to stage; ask again. */
  validateBatch: (batch: number) => batches().validate(batch),
  planBatch: (batch: number, maxChanges: number) => batches().plan(batch, maxChanges),
  /** Tells of the `BegunCommit`, unless the station is empty. */
  commitBatch: (batch: number) => batches().commit(batch, (begun) => tell(begun)),
  discardBatch: (batch: number) => batches().discard(batch),
  writeTogether,
  putTypes: writing(putTypes),
  deleteType: writing(deleteType),
  addToken: writingTokens(addToken),
  addFirstToken: writingTokens(addFirstToken),
  removeToken: writingTokens(removeToken),
  recordTokenUses: writingTokens(recordTokenUses),
  putView: writing(putView),
  removeView: writing(removeView),
  writeNote: writing(writeNote),
  removeNotes: writing(removeNotes),
  sampleTrends: sampleUnlessImporting,
  addTrends: writing(addTrends),
  forgetTrends: writing(forgetTrends),
  compactHistory: writing(compactHistory),
  close,
};

export type WriterHandlers = typeof handlers;

/** Requests that commit nothing and may leave a transaction open. */
const beforeCommit: ReadonlySet<keyof WriterHandlers> = new Set([
  'openBatch',
  'addRecords',
  'validateBatch',
  'planBatch',
]);

const tell = answerRequests({
  directory,
  handlers,
  beforeReply(kind) {
    if (connection && !beforeCommit.has(kind)) mark.advance(connection.countedWrites() ?? 0);
  },
  afterReply(kind) {
    if (!connection || beforeCommit.has(kind)) return;
    checkpoints.runIfDue(connection.db);
    // Direct writes leave nothing in temporary files.
    if (kind !== 'writeTogether' && connection.batches.isIdle && mustRenew(connection)) disconnect();
  },
});

function connect(): Connection {
  connection ??= openConnection();
  return connection;
}

/** Looks first: closing the only connection to a replaced database would copy our log into it and delete the log. */
function openConnection(): Connection {
  files.requireInPlace();
  const db = openForWriting(file);
  return closeOnError(db, () => {
    files.requireInPlace();
    return {
      db,
      batches: new OpenBatches(db, earlyFrom),
      commits: new SharedCommit(db),
      countedWrites: prepareCountedWrites(db),
    };
  });
}

/** For requests about a batch, which handle early writes themselves. */
function batches(): OpenBatches {
  return connect().batches;
}

/** For all other requests. */
function writing<Input extends unknown[], T>(write: (db: DatabaseSync, ...input: Input) => T) {
  return (...input: Input): T => {
    batches().giveUpEarlyWrite();
    return write(connect().db, ...input);
  };
}

/** A sample is not worth more work for an import, unless the import goes on for long. */
function sampleUnlessImporting(atMs: number, apartMs: number): void {
  if (batches().isWritingEarly && isSampled(connect().db, atMs, longImportMs)) return;
  writing(sampleTrends)(atMs, apartMs);
}

/** One outcome for each write, all of them durable. */
function writeTogether(writes: readonly DirectWrite[]) {
  batches().giveUpEarlyWrite();
  const startedMs = performance.now();
  const outcomes = connect()
    .commits.run(writes)
    .map((outcome) =>
      'error' in outcome ? { error: encodeError(translateError(outcome.error, directory)) } : outcome,
    );
  return { outcomes, tookMs: performance.now() - startedMs };
}

/** The result of a token write, and all tokens after it. */
export interface TokenWrite<T> {
  readonly result: T;
  readonly tokens: readonly StoredToken[];
}

function writingTokens<Input extends unknown[], T>(write: (db: DatabaseSync, ...input: Input) => T) {
  return writing(
    (db, ...input: Input): TokenWrite<T> => ({ result: write(db, ...input), tokens: listTokens(db) }),
  );
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

async function close(): Promise<void> {
  try {
    connection?.batches.giveUpEarlyWrite();
    await checkpoints.close();
    connection?.db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    disconnect();
    mark.close();
  }
}
