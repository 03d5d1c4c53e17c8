import { statfsSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RosterError } from '@roster/contract';
import { aBatch, countResources, put, station } from '../../testing/station-data.ts';
import { createSqliteStore } from '../create-sqlite-store.ts';

const roomLeftBytes = 64 * 1024;

/**
 * Runs a store in a directory on a small file system, fills that up before a batch is staged or before it
 * is committed, and prints what happened.
 */
const [directory, fillBefore] = process.argv.slice(2) as [string, 'staging' | 'commit'];
const ballast = join(directory, 'ballast');
const store = await createSqliteStore({ directory });
await store.createStation(station);
const before = await put(store, aBatch(500));

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
    if (fillBefore === 'staging') fillDisk();
    await batch.add(aBatch(40_000, 'large', 'x'.repeat(500)));
    // Waits until everything is staged.
    await batch.validate();
    if (fillBefore === 'commit') fillDisk();
    await batch.commit();
  } finally {
    await batch.discard();
  }
}

function fillDisk(): void {
  const { bavail, bsize } = statfsSync(directory);
  writeFileSync(ballast, Buffer.alloc(bavail * bsize - roomLeftBytes, 1));
}
