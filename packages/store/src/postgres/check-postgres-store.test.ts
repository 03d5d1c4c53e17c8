import { expect, it } from 'vitest';
import { aBatch, aView, put, station } from '../testing/station-data.ts';
import { checkPostgresStore } from './check-postgres-store.ts';
import { damageRows } from './testing/damage-rows.ts';
import { useServer } from './testing/use-server.ts';

const fixture = useServer();

it('finds what is damaged and what is missing, beside a node', async () => {
  const url = await fixture.server.createDatabase();
  const store = await fixture.open({ url });
  await store.createStation(station);
  await put(store, aBatch(5));
  for (const name of ['a', 'b', 'c']) await store.views.put(aView('shared', name));
  expect(await checkPostgresStore({ url })).toMatchObject({
    stations: 1,
    resources: 5,
    views: 3,
    damages: [],
  });
  const ids = (await fixture.server.query('SELECT resource_id FROM resources ORDER BY 1', url)) as {
    resource_id: string;
  }[];
  const [first, second] = ids.map(({ resource_id }) => resource_id);
  await damageRows(fixture.server, url, {
    table: 'resources',
    set: "sku = 'damaged'",
    where: `resource_id = '${first}'`,
  });
  await fixture.server.query(`DELETE FROM resources WHERE resource_id = '${second}'`, url);
  await fixture.server.query("UPDATE views SET query = 'x=1' WHERE name = 'a'", url);
  await fixture.server.query("UPDATE views SET station = 'x' WHERE name = 'b'", url);
  expect((await store.views.list()).map(({ name }) => name)).toEqual(['a', 'c']);
  const checked: number[] = [];
  const { damages } = await checkPostgresStore({ url, onChecked: (resources) => checked.push(resources) });
  expect(damages).toMatchObject([
    { kind: 'resources', damaged: 1, missing: 1, ids: [first] },
    { kind: 'views', damaged: 2, missing: 0, ids: ['shared/a', 'shared/b'] },
  ]);
  expect(checked).toEqual([4]);
});

it('reports resources that searches of all stations would miss', async () => {
  const url = await fixture.server.createDatabase();
  const store = await fixture.open({ url });
  await store.createStation(station);
  const firing = aBatch(3).map(({ record, ...place }) => ({
    ...place,
    record: { ...record, state: 'ALERTSTATE_FIRING' },
  }));
  await put(store, firing);
  await fixture.server.query("DELETE FROM alerting WHERE resource_id = 'vm-1'", url);
  await expect(store.readParts([station], 'alerting')).rejects.toMatchObject({ code: 'data_damaged' });
  expect((await checkPostgresStore({ url })).damages).toMatchObject([
    { kind: 'database', detail: 'the table alerting lacks 1 of its resources' },
  ]);
});
