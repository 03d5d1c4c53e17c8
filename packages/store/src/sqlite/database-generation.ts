import { closeSync, fsyncSync, openSync, readFileSync, renameSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { randomEpoch, randomGeneration } from '../shared/random-identifiers.ts';
import { privateMode } from './prepare-directory.ts';
import { runTransaction } from './run-transaction.ts';

/**
 * A database brought back from a backup continues with numbers that were already given out for other
 * contents, so its stations need new epochs. It shows in one of two ways: the file is another one than
 * before (inode, time of birth), or it was overwritten in place and then holds an older generation than
 * the file beside it, which every opening renews, and every orderly closing by the thread that writes.
 */
export function renewGeneration(db: DatabaseSync, directory: string, file: string): { restored: boolean } {
  const sidecar = join(directory, 'roster.generation');
  const known = readMeta(db, 'generation');
  const identity = fileIdentity(file);
  const restored =
    known !== undefined &&
    (readMeta(db, 'file_identity') !== identity || !readGenerations(sidecar).includes(known));
  const next = randomGeneration();
  // Both are valid until the database has the new one, so that a crash in between is no restore.
  writeGenerations(directory, sidecar, known === undefined || restored ? [next] : [known, next]);
  runTransaction(db, () => {
    writeMeta(db, 'file_identity', identity);
    writeMeta(db, 'generation', next);
    if (restored) renewEpochs(db);
  });
  writeGenerations(directory, sidecar, [next]);
  return { restored };
}

function renewEpochs(db: DatabaseSync): void {
  const update = db.prepare('UPDATE stations SET epoch = ? WHERE id = ?');
  const stations = db.prepare('SELECT id FROM stations').all() as { id: number }[];
  for (const { id } of stations) update.run(randomEpoch(), id);
}

function fileIdentity(file: string): string {
  const { ino, birthtimeNs } = statSync(file, { bigint: true });
  return `${ino}:${birthtimeNs}`;
}

function readMeta(db: DatabaseSync, key: string): string | undefined {
  const row = db.prepare('SELECT value FROM meta WHERE key = ?').get(key) as { value: string } | undefined;
  return row?.value;
}

function writeMeta(db: DatabaseSync, key: string, value: string): void {
  db.prepare('INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value').run(
    key,
    value,
  );
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
