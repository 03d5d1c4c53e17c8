import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { aBatch, put, station } from '../../testing/station-data.ts';
import { createSqliteStore } from '../main/create-sqlite-store.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { OpenFeeds, ReadConnections } from './open-feeds.ts';

it('reads nothing of a later state after the disk has failed for a moment', async () => {
  const directory = temporaryDirectory();
  const store = await createSqliteStore({ directory });
  await store.createStation(station);
  await put(store, aBatch(5_000));
  const connections = new ReadConnections(join(directory, 'roster.db'));
  const feeds = new OpenFeeds(connections);
  const { feed } = feeds.open(station, undefined);
  expect(feeds.next(feed)).toMatchObject({ last: false });
  const log = openSync(join(directory, 'roster.db-wal'), 'r+');
  const bytes = readFileSync(log);
  ftruncateSync(log, 4_096);
  for (let turn = 0; turn < 3; turn++) await nextTurn();
  writeSync(log, bytes, 0, bytes.length, 0);
  closeSync(log);
  await put(store, aBatch(10, 'later'));
  expect(() => feeds.next(feed)).toThrow('disk I/O error');
  expect(() => feeds.next(feed)).toThrow('disk I/O error');
  connections.closeAll();
  await store.close();
});

it('reads several feeds ahead, each from its own state', async () => {
  const directory = temporaryDirectory();
  const store = await createSqliteStore({ directory });
  await store.createStation(station);
  const connections = new ReadConnections(join(directory, 'roster.db'));
  const feeds = new OpenFeeds(connections);
  const opened: { feed: number; size: number }[] = [];
  for (let size = 5_000; size <= 20_000; size += 5_000) {
    await put(store, aBatch(size));
    opened.push({ feed: feeds.open(station, undefined).feed, size });
  }
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  for (const { feed, size } of opened) {
    let count = 0;
    for (let last = false; !last; ) {
      const part = feeds.next(feed);
      count += part.put!.ends.length;
      last = part.last;
    }
    expect(count).toBe(size);
  }
  connections.closeAll();
  await store.close();
});
