import { statfsSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RosterError } from '@roster/contract';
import { aBatch, countResources, put, station } from '../../testing/station-data.ts';
import { createSqliteStore } from '../main/create-sqlite-store.ts';

const roomLeftBytes = 64 * 1024;

/**
 * Runs a store in a directory on a small file system, fills that up before a batch comes in or before it is committed,
 * and prints what happened. A batch is staged when the station has resources, and else written early.
 */
const [directory, fillBefore, resources] = process.argv.slice(2) as [string, 'records' | 'commit', string];
const ballast = join(directory, 'ballast');
const store = await createSqliteStore({ directory });
await store.createStation(station);
await put(store, aBatch(Number(resources)));
const before = store.head(station);

const refused = (await writeLargeBatch().catch((error: unknown) => error)) as RosterError;
const whileFull = { head: await store.head(station), resources: await countResources(store) };

unlinkSync(ballast);
const after = await put(store, aBatch(500, 'after'));
const digest = await store.digest(station);
await store.close();

const result = {
  before,
  refused: { code: refused.code, message: refused.message },
  whileFull,
  after,
  digest,
};
process.stdout.write(JSON.stringify(result));

async function writeLargeBatch(): Promise<void> {
  const batch = await store.openBatch(station);
  try {
    if (fillBefore === 'records') fillDisk();
    await batch.add(aBatch(40_000, 'large', 'x'.repeat(500)));
    await batch.add(aBatch(4, 'last'));
    if (fillBefore === 'commit') {
      await untilNothingIsWritten();
      fillDisk();
    }
    await batch.commit();
  } finally {
    await batch.discard();
  }
}

async function untilNothingIsWritten(): Promise<void> {
  for (let before = -1; before !== statfsSync(directory).bavail; await sleep(100)) {
    before = statfsSync(directory).bavail;
  }
}

/** What the store writes meanwhile may leave less room than there was. */
function fillDisk(): void {
  for (;;) {
    const { bavail, bsize } = statfsSync(directory);
    try {
      writeFileSync(ballast, Buffer.alloc(bavail * bsize - roomLeftBytes, 1));
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      unlinkSync(ballast);
    }
  }
}
