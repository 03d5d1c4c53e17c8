import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Head, Store } from '@roster/engine/port';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { aBatch, put, station } from '../../testing/station-data.ts';
import { createSqliteStore } from '../main/create-sqlite-store.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

let directory: string;
let store: Store;
let since: Head;

/** Of vm-0 to vm-3, one is updated twice, one removed, and one updated before; vm-4 is created and updated, vm-5 removed. */
beforeEach(async () => {
  directory = temporaryDirectory();
  store = await createSqliteStore({ directory });
  onTestFinished(() => store.close());
  await store.createStation(station);
  await put(store, aBatch(4));
  await put(store, aBatch(4).slice(2, 3).map(renamedTo('before')));
  since = (await store.head(station))!;
  for (const name of ['once', 'twice']) {
    await put(store, aBatch(1).map(renamedTo(name)));
    await put(store, aBatch(6).slice(4).map(renamedTo(name)));
  }
  await store.removeResource(station, 'vm-1');
  await store.removeResource(station, 'vm-5');
});

type Staged = ReturnType<typeof aBatch>[number];

function renamedTo(displayName: string): (staged: Staged) => Staged {
  return ({ record, ...place }) => ({ ...place, record: { ...record, displayName } });
}

async function read(): Promise<{ put: string[]; removed: string[] }> {
  const { chunks } = await store.feed(station, since);
  const found: { put: string[]; removed: string[] } = { put: [], removed: [] };
  for await (const chunk of chunks) {
    for (const { resourceId } of chunk.put) found.put.push(resourceId);
    found.removed.push(...chunk.removed);
  }
  return found;
}

it('has each resource once that was created, updated or removed since', async () => {
  const { put, removed } = await read();
  expect(put.sort()).toEqual(['vm-0', 'vm-4']);
  expect(removed.sort()).toEqual(['vm-1', 'vm-5']);
});

it.each([
  "UPDATE resources SET revision = revision - 1 WHERE resource_id = 'vm-0'",
  "UPDATE resources SET revision = revision + 1 WHERE resource_id = 'vm-0'",
  "UPDATE resources SET created_revision = 0 WHERE resource_id = 'vm-4'",
  "UPDATE resources SET created_revision = 9 WHERE resource_id = 'vm-0'",
  "DELETE FROM resources WHERE resource_id = 'vm-0'",
  "UPDATE past_versions SET removed = 1 WHERE resource_id = 'vm-0'",
  "UPDATE past_versions SET removed = 0 WHERE resource_id = 'vm-1'",
  "UPDATE past_versions SET id = id + 1000 WHERE resource_id = 'vm-0'",
  "UPDATE past_versions SET until_revision = 1 WHERE resource_id = 'vm-1'",
  "DELETE FROM past_versions WHERE resource_id = 'vm-5'",
  'UPDATE revisions SET versions = 4711',
])('notices %s', async (damage) => {
  const db = new DatabaseSync(join(directory, 'roster.db'));
  db.exec(damage);
  db.close();
  await expect(read()).rejects.toMatchObject({ code: 'data_damaged' });
});
