import { expect, it } from 'vitest';
import { aBatch, countResources, put, station } from '../testing/station-data.ts';
import { useServer } from './testing/use-server.ts';

const fixture = useServer();

it('lets ten nodes start at once on an empty database', async () => {
  const url = await fixture.server.createDatabase();
  const stores = await Promise.all(Array.from({ length: 10 }, () => fixture.open({ url, connections: 4 })));
  await stores[0]!.createStation(station);
  await put(stores[1]!, aBatch(5));
  for (const store of stores) expect(await countResources(store)).toBe(5);
  expect(await fixture.server.query('SELECT version FROM schema_version', url)).toEqual([{ version: 1 }]);
});

it('leaves a database alone that a newer version has written', async () => {
  const url = await fixture.server.createDatabase();
  await (await fixture.open({ url })).close();
  await fixture.server.query('UPDATE schema_version SET version = 99', url);
  await expect(fixture.open({ url })).rejects.toMatchObject({
    code: 'store_unavailable',
    message: expect.stringMatching(/schema version 99.*up to 1/),
  });
});

it('needs no right to create tables once they are there', async () => {
  const url = await fixture.server.createDatabase();
  await (await fixture.open({ url })).close();
  await fixture.server.query('CREATE ROLE plain LOGIN', url);
  await fixture.server.query(
    'GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO plain',
    url,
  );
  const store = await fixture.open({ url: url.replace('roster@', 'plain@') });
  await store.createStation(station);
  expect((await put(store, aBatch(3))).created).toBe(3);
  expect(await store.deleteStation(station)).toBe(true);
});
