import path from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { aBatch, put, station } from '../../testing/station-data.ts';
import type { ReaderHandlers } from '../reader/reader-thread.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { WorkerChannel } from '../threads/worker-channel.ts';
import type { CommittedBatch } from '../writer/commit-batch.ts';
import { type FlatRecords, flattenRecords } from '../writer/flat-records.ts';
import { ChangesAhead, RecordMemory } from './changes-ahead.ts';
import { createSqliteStore } from './create-sqlite-store.ts';

let reader: WorkerChannel<ReaderHandlers>;
/** That of the station, where 10 resources are. */
let since: { epoch: string; number: number; revId: string };

/** Changes 10 resources and creates 5, in two parts. */
const parts: readonly FlatRecords[] = [aBatch(10, 'vm', 'changed'), aBatch(5, 'new')].map(flattenRecords);
const length = parts.reduce((sum, { values }) => sum + values.length, 0);
const nowMs = Date.parse('2026-01-31T08:00:00.000Z');

beforeEach(async () => {
  const directory = temporaryDirectory();
  const store = await createSqliteStore({ directory });
  onTestFinished(() => store.close());
  await store.createStation(station);
  await put(store, aBatch(10));
  since = (await store.head(station))!;
  const source = new URL('../reader/reader-thread.ts', import.meta.url);
  reader = new WorkerChannel(source, { directory, file: path.join(directory, 'roster.db') });
  onTestFinished(() => reader.close());
});

function committed(counts: { created: number; updated: number; removed: number }): CommittedBatch {
  const head = { ...since, number: since.number + 1 };
  return {
    result: { head, unchanged: 0, newTypes: [], ...counts },
    counts: { resources: 15, alertable: 15, uncovered: 15, byState: {} },
    catalog: undefined,
  };
}

const all = committed.bind(undefined, { created: 5, updated: 10, removed: 0 });

function prepare(memory = new RecordMemory()): ChangesAhead {
  const changes = new ChangesAhead({ address: station, reader, memory });
  for (const part of parts) changes.add(part);
  return changes;
}

it('has what records create and change, as often as it is read', async () => {
  const changes = prepare();
  changes.begin({ since, nowMs });
  const feed = (await changes.feed(all()))!;
  expect(feed).toMatchObject({ since, head: { number: since.number + 1 }, size: 15 });
  for (let time = 0; time < 2; time++) {
    const read = [];
    for await (const { put: resources, removed } of feed.chunks) {
      expect(removed).toEqual([]);
      read.push(...resources);
    }
    expect(read).toHaveLength(15);
    expect(read.find(({ resourceId }) => resourceId === 'vm-3')).toMatchObject({ sku: 'changed' });
    const created = { createTime: '2026-01-31T08:00:00.000Z', stateSinceMs: nowMs };
    expect(read.find(({ resourceId }) => resourceId === 'new-3')).toMatchObject(created);
  }
});

it('has nothing where it may have missed something', async () => {
  const other = prepare();
  other.begin({ since: { ...since, number: since.number - 1 }, nowMs });
  expect(await other.feed(all())).toBeUndefined();
  const fewer = prepare();
  fewer.begin({ since, nowMs });
  expect(await fewer.feed(committed({ created: 5, updated: 9, removed: 0 }))).toBeUndefined();
  const removing = prepare();
  removing.begin({ since, nowMs });
  expect(await removing.feed(committed({ created: 5, updated: 10, removed: 1 }))).toBeUndefined();
  // The writer thread has not told that it began.
  expect(await prepare().feed(all())).toBeUndefined();
});

it('keeps no more than there is room for, and gives the room back', async () => {
  const memory = new RecordMemory(length);
  const first = prepare(memory);
  const second = prepare(memory);
  for (const changes of [first, second]) changes.begin({ since, nowMs });
  expect(await second.feed(all())).toBeUndefined();
  expect(await first.feed(all())).toBeDefined();
  const third = prepare(memory);
  third.begin({ since, nowMs });
  expect(await third.feed(all())).toBeDefined();
});
