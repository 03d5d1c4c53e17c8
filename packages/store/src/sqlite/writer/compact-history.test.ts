import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { aBatch, put, station } from '../../testing/station-data.ts';
import { createSqliteStore } from '../main/create-sqlite-store.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

it('leaves no past versions, and the times of those revisions only that resources are at', async () => {
  const directory = temporaryDirectory();
  const store = await createSqliteStore({ directory });
  const db = new DatabaseSync(join(directory, 'roster.db'), { readOnly: true });
  const numbers = (sql: string) =>
    db
      .prepare(sql)
      .all()
      .map(({ number }) => number);
  const kept = () => numbers('SELECT revision AS number FROM revisions ORDER BY revision');
  await store.createStation(station);
  for (const record of aBatch(4)) await put(store, [record]);
  await put(store, aBatch(2, 'vm', 'changed'));
  await store.removeResource(station, 'vm-3');
  expect(numbers('SELECT until_revision AS number FROM past_versions')).toEqual([5, 5, 6]);
  await sleep(5);
  await store.compactHistory(0);
  expect(numbers('SELECT until_revision AS number FROM past_versions')).toEqual([]);
  expect(kept()).toEqual([3, 5, 6]);
  await put(store, aBatch(3, 'vm', 'changed again'));
  expect(kept()).toEqual([3, 5, 6, 7]);
  await sleep(5);
  await store.compactHistory(0);
  expect(kept()).toEqual([7]);
  expect((await store.resource(station, 'vm-2')).revision.number).toBe(7);
  db.close();
  await store.close();
});
