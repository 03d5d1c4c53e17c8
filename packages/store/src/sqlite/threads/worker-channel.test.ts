import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { station } from '../../testing/station-data.ts';
import { DatabaseFiles } from '../directory/database-files.ts';
import { KnownViews } from '../main/known-views.ts';
import { SqliteStore } from '../main/sqlite-store.ts';
import { VisibleStations } from '../main/visible-stations.ts';
import type { ReaderHandlers } from '../reader/reader-thread.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import type { WriterHandlers } from '../writer/writer-thread.ts';
import { WorkerChannel } from './worker-channel.ts';

type DyingRequests = Record<'throw' | 'exit' | 'wait' | 'close', (input: undefined) => undefined>;

const thread = new URL('../testing/dying-thread.ts', import.meta.url);
const never = new Promise<void>(() => undefined);
const unavailable = expect.objectContaining({ code: 'store_unavailable' });

for (const end of ['throw', 'exit'] as const) {
  it(`fails what waits and what comes later when its thread ends with ${end}`, async () => {
    const channel = new WorkerChannel<DyingRequests>(thread, undefined);
    const calls = await Promise.allSettled([
      channel.request('wait', undefined),
      channel.request(end, undefined),
    ]);
    for (const call of calls) expect(call).toEqual({ status: 'rejected', reason: unavailable });
    await expect(channel.request('wait', undefined)).rejects.toEqual(unavailable);
    await channel.close();
  });
}

it('keeps the error that ended the thread as the cause', async () => {
  const channel = new WorkerChannel<DyingRequests>(thread, undefined);
  await expect(channel.request('throw', undefined)).rejects.toMatchObject({
    cause: expect.objectContaining({ message: 'thrown on purpose' }),
  });
});

it('starts a thread that shall wait with the first request', async () => {
  const channel = new WorkerChannel<DyingRequests>(thread, undefined, never);
  await expect(channel.request('throw', undefined)).rejects.toMatchObject({
    cause: expect.objectContaining({ message: 'thrown on purpose' }),
  });
  await channel.close();
});

it('starts a thread after what it shall wait for, but not one that was told to end before', async () => {
  const started = new Int32Array(new SharedArrayBuffer(4));
  for (const end of ['terminate', 'close'] as const) {
    const first = Promise.withResolvers<void>();
    await new WorkerChannel<DyingRequests>(thread, started, first.promise)[end]();
    first.resolve();
  }
  await sleep(500);
  expect(started[0]).toBe(0);
  const channel = new WorkerChannel<DyingRequests>(thread, started, sleep(20));
  await expect.poll(() => started[0]).toBe(1);
  await channel.terminate();
  await expect(channel.request('wait', undefined)).rejects.toEqual(unavailable);
  await channel.close();
});

it('fails what is asked of a thread that cannot be started, and lets go of it', async () => {
  const notCloneable = () => undefined;
  expect(() => new WorkerChannel<DyingRequests>(thread, notCloneable)).toThrow(unavailable);
  const channel = new WorkerChannel<DyingRequests>(thread, notCloneable, sleep(20));
  await sleep(60);
  await expect(channel.request('wait', undefined)).rejects.toEqual(unavailable);
  await channel.close();
});

it('makes every call of a store fail whose threads have ended, except for closing it', async () => {
  let released = false;
  const writer = new WorkerChannel<WriterHandlers>(thread, undefined);
  const reader = new WorkerChannel<ReaderHandlers>(thread, undefined);
  const store = new SqliteStore({
    writer,
    reader,
    stations: new VisibleStations([]),
    catalog: { revision: 0, isDamaged: false, types: new Map() },
    tokens: [],
    views: new KnownViews([]),
    earlyFrom: 1,
    readOnly: false,
    files: new DatabaseFiles(join(temporaryDirectory(), 'roster.db')),
    release: () => {
      released = true;
    },
  });
  const waiting = [store.createStation(station), store.feed(station), store.compactHistory(0)];
  const ended = Promise.allSettled(waiting);
  await Promise.all([writer.terminate(), reader.terminate()]);
  for (const call of await ended) expect(call).toEqual({ status: 'rejected', reason: unavailable });
  await expect(store.removeResource(station, 'a')).rejects.toEqual(unavailable);
  await expect(store.digest(station)).rejects.toEqual(unavailable);
  await store.close();
  expect(released).toBe(true);
});
