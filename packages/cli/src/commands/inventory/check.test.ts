import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createSqliteStore } from '@roster/store';
import { expect, it } from 'vitest';
import { runRoster, temporaryDirectory } from '../../testing/run-roster.ts';

const station = { subscription: 's', resourceGroup: 'g', zone: 'z', name: 'n' };
const stationPath = 'subscriptions/s/resourceGroups/g/zones/z/telemetryStations/n';

async function inventory(): Promise<string> {
  const directory = temporaryDirectory();
  const store = await createSqliteStore({ directory });
  await store.createStation(station);
  const batch = await store.openBatch(station);
  const record = (id: string) => ({ resourceId: id, name: id, typeKey: 'resource_type.x' });
  await batch.add(['a', 'b', 'c'].map((id, at) => ({ line: at + 1, record: record(id) })));
  await batch.commit();
  await store.views.put({
    owner: 'shared',
    name: 'firing',
    station,
    query: 'state=firing',
    changedAtMs: 1,
    changedBy: 'test',
  });
  await store.close();
  return directory;
}

function execute(directory: string, sql: string): void {
  const db = new DatabaseSync(path.join(directory, 'roster.db'));
  db.exec(sql);
  db.close();
}

it('finds nothing wrong with a sound inventory, also while it is in use', async () => {
  const directory = await inventory();
  const store = await createSqliteStore({ directory });
  const { code, stdout } = await runRoster(['check', '--data', directory]);
  expect([code, stdout]).toEqual([
    0,
    `${directory}: 1 station, 3 resources, 0 past versions, 1 type, 1 view, sound\n`,
  ]);
  await store.close();
});

it('reports damage, and fails', async () => {
  const directory = await inventory();
  execute(
    directory,
    `UPDATE resources SET sku = 'x' WHERE resource_id = 'b';
     DELETE FROM resources WHERE resource_id = 'c';
     UPDATE resource_types SET product = 'x';
     UPDATE views SET query = 'state=!'`,
  );
  const text = await runRoster(['check', '--data', directory]);
  expect(text.code).toBe(1);
  expect(text.stdout).toContain(`${stationPath}: resources: 1 row damaged, 1 missing (b)\n`);
  expect(text.stdout).toContain('inventory: resource types: 1 row damaged (resource_type.x)\n');
  expect(text.stdout).toContain('inventory: views: 1 row damaged (shared/firing)\n');
  expect(text.stderr).toContain('is damaged');
  const json = await runRoster(['check', '--data', directory, '-o', 'json']);
  expect(JSON.parse(json.stdout)).toMatchObject({
    resources: 2,
    damages: [
      { kind: 'resources', station: stationPath, damaged: 1, missing: 1, ids: ['b'] },
      { kind: 'types', damaged: 1, ids: ['resource_type.x'] },
      { kind: 'views', damaged: 1, ids: ['shared/firing'] },
    ],
  });
});

it('reports a station whose own row is damaged', async () => {
  const directory = await inventory();
  execute(directory, "UPDATE stations SET epoch = 'x'");
  const { code, stdout } = await runRoster(['check', '--data', directory]);
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining(`${stationPath}: the station itself: 1 row damaged`),
  ]);
});
