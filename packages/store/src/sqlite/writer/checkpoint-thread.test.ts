import { copyFileSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openForWriting } from '../database/open-database.ts';
import { findFiles } from '../directory/database-files.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { WorkerChannel } from '../threads/worker-channel.ts';
import type { CheckpointHandlers } from './checkpoint-thread.ts';

const source = new URL('./checkpoint-thread.ts', import.meta.url);

it('touches neither a database that took the place of ours nor the log', async () => {
  const directory = temporaryDirectory();
  const file = join(directory, 'roster.db');
  const db = openForWriting(file);
  db.exec("CREATE TABLE t (x TEXT); INSERT INTO t VALUES ('old'); PRAGMA wal_checkpoint(TRUNCATE)");
  const opened = findFiles(file);
  const backupFile = join(directory, 'backup.db');
  copyFileSync(file, backupFile);
  db.exec("INSERT INTO t VALUES ('acknowledged')");
  const backup = readFileSync(backupFile);
  const log = readFileSync(`${file}-wal`);
  renameSync(backupFile, file);
  const thread = new WorkerChannel<CheckpointHandlers>(source, { directory, file, opened });
  await expect(thread.request('copyLog')).rejects.toMatchObject({ code: 'database_replaced' });
  await thread.close();
  expect(readFileSync(`${file}-wal`).equals(log)).toBe(true);
  expect(readFileSync(file).equals(backup)).toBe(true);
  db.close();
});
