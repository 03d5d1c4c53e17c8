import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { randomEpoch, randomGeneration } from '../../shared/random-identifiers.ts';
import { countedWrites, readMeta, writeMeta } from '../database/meta-table.ts';
import { rowChecksum, sealRows } from '../database/row-checksums.ts';
import { runTransaction } from '../database/run-transaction.ts';
import { fileIdentity, filesToMark } from './database-files.ts';
import { lockKey } from './directory-lock.ts';
import { privateMode } from './prepare-directory.ts';
import { findLoss, findTotalLoss, markClosed, markOpened } from './write-mark.ts';

export interface DatabaseLocation {
  readonly directory: string;
  readonly file: string;
  /** Of the held lock. */
  readonly lockIdentity: string;
}

/**
 * A restored database, or one that lost its last writes, would hand out revisions again that already stand for other
 * contents, so its stations need new epochs. It shows in one of three ways: the file is another one (inode, birth time);
 * it was overwritten in place and holds an older generation than the file beside it, which every opening and orderly
 * closing renews; or the mark beside it counts more writes.
 *
 * Returns why there are new epochs, or undefined.
 */
export function renewGeneration(db: DatabaseSync, location: DatabaseLocation): string | undefined {
  const { directory, file, lockIdentity } = location;
  const sidecar = join(directory, 'roster.generation');
  const known = readMeta(db, 'generation');
  const identity = fileIdentity(file);
  const restored =
    known === undefined ? findTotalLoss(directory) : findRestore(db, { directory, sidecar, identity, known });
  const next = randomGeneration();
  // Both are valid until the database has the new one: a crash in between is no restore.
  writeGenerations(directory, sidecar, known === undefined || restored ? [next] : [known, next]);
  const writes = countedWrites(db) ?? 0;
  runTransaction(db, () => {
    writeMeta(db, 'file_identity', identity);
    writeMeta(db, 'generation', next);
    writeMeta(db, 'writes', String(writes));
    writeMeta(db, lockKey, lockIdentity);
    if (restored) renewEpochs(db);
  });
  writeGenerations(directory, sidecar, [next]);
  markOpened(directory, writes, filesToMark(file));
  return restored;
}

/**
 * Records the orderly end, which an earlier backup lacks, and empties the log. Call it when nobody else has a
 * connection.
 */
export function closeInOrder(db: DatabaseSync, location: DatabaseLocation): void {
  renewGeneration(db, location);
  const { busy } = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number };
  if (busy === 0) markClosed(location.directory, countedWrites(db) ?? 0);
}

interface Evidence {
  readonly directory: string;
  readonly sidecar: string;
  readonly identity: string;
  readonly known: string;
}

function findRestore(
  db: DatabaseSync,
  { directory, sidecar, identity, known }: Evidence,
): string | undefined {
  if (readMeta(db, 'file_identity') !== identity) return 'roster.db is another file than before';
  if (!readGenerations(sidecar).includes(known)) return 'roster.db is older than roster.generation';
  return findLoss(db, directory);
}

function renewEpochs(db: DatabaseSync): void {
  const update = db.prepare('UPDATE stations SET epoch = ? WHERE id = ?');
  const sound = `SELECT id FROM stations WHERE checksum = ${rowChecksum('stations')}`;
  const stations = db.prepare(sound).all() as { id: number }[];
  for (const { id } of stations) {
    update.run(randomEpoch(), id);
    sealRows(db, 'stations', `id = ${id}`);
  }
}

function readGenerations(sidecar: string): string[] {
  try {
    return readFileSync(sidecar, 'utf8').trim().split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function writeGenerations(directory: string, sidecar: string, generations: string[]): void {
  const temporary = `${sidecar}.new`;
  withFile(temporary, 'w', (fd) => {
    writeSync(fd, `${generations.join('\n')}\n`);
    fsyncSync(fd);
  });
  renameSync(temporary, sidecar);
  withFile(directory, 'r', fsyncSync);
}

function withFile(path: string, flags: string, use: (fd: number) => void): void {
  const fd = openSync(path, flags, privateMode);
  try {
    use(fd);
  } finally {
    closeSync(fd);
  }
}
