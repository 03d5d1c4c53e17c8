import { aBatch, put, station } from '../../testing/station-data.ts';
import { createSqliteStore } from '../main/create-sqlite-store.ts';

/** Writes a batch, leaves another one open, and dies without closing anything. */
const store = await createSqliteStore({ directory: process.argv[2]! });
await store.createStation(station);
await put(store, aBatch(500));
const open = await store.openBatch(station);
await open.add(aBatch(500, 'uncommitted'));
process.kill(process.pid, 'SIGKILL');
