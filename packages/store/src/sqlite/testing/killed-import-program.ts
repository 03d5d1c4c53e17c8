import { setTimeout as sleep } from 'node:timers/promises';
import { aBatch, station } from '../../testing/station-data.ts';
import { createSqliteStore } from '../main/create-sqlite-store.ts';
import { isWriting } from './is-writing.ts';

/** Begins the first import of a station, and dies when most of it is written. */
const directory = process.argv[2]!;
const store = await createSqliteStore({ directory });
const batch = await store.openBatch(station);
await batch.add(aBatch(20_000, 'vm', 'x'.repeat(500)));
while (!isWriting(directory)) await sleep(1);
process.kill(process.pid, 'SIGKILL');
