import { expect, it } from 'vitest';
import { aBatch, aToken, countResources, put, station } from '../testing/station-data.ts';
import { migrations } from './schema/migrations.ts';
import { useServer } from './testing/use-server.ts';

const fixture = useServer();

async function fill(): Promise<string> {
  const url = await fixture.server.createDatabase();
  const store = await fixture.open({ url });
  await store.createStation(station);
  await put(store, aBatch(1_500));
  await store.tokens.add(aToken('a'));
  await store.close();
  return url;
}

it('shows everything to a user who may only read, and accepts no writes', async () => {
  const url = await fill();
  await fixture.server.query('CREATE ROLE onlooker LOGIN', url);
  await fixture.server.query('GRANT SELECT ON ALL TABLES IN SCHEMA public TO onlooker', url);
  await fixture.server.query('REVOKE TEMPORARY ON DATABASE roster_1 FROM PUBLIC', url);
  const store = await fixture.open({ url: url.replace('roster@', 'onlooker@'), readOnly: true });
  expect(await countResources(store)).toBe(1_500);
  expect((await store.head(station))?.number).toBe(1);
  expect((await store.stations({ offset: 0, limit: 10 })).total).toBe(1);
  expect((await store.catalog()).types.size).toBe(1);
  expect(await store.tokens.list()).toEqual([aToken('a')]);
  const refused = { message: 'the store is read-only' };
  await expect(store.createStation(station)).rejects.toMatchObject(refused);
  await expect(store.openBatch(station)).rejects.toMatchObject(refused);
  await expect(store.putTypes([])).resolves.toBeUndefined();
  await expect(store.tokens.remove('a')).rejects.toMatchObject(refused);
});

it('gives no new epochs to data that comes from elsewhere', async () => {
  const url = await fill();
  const epoch = async () => (await fixture.server.query('SELECT epoch FROM stations', url))[0]?.epoch;
  const before = await epoch();
  await fixture.server.query("UPDATE meta SET value = 'another cluster' WHERE key = 'lineage'", url);
  const reader = await fixture.open({ url, readOnly: true });
  expect(await countResources(reader)).toBe(1_500);
  expect(await epoch()).toBe(before);
  await fixture.open({ url });
  expect(await epoch()).not.toBe(before);
});

it('gives no new epoch to a station that lost its tail while it was watched', async () => {
  const url = await fixture.server.createDatabase();
  const store = await fixture.open({ url });
  await store.createStation(station);
  const { head: kept } = await put(store, aBatch(1));
  await put(store, aBatch(1, 'lost'));
  const reader = await fixture.open({ url, readOnly: true });
  await reader.head(station);
  await store.close();
  const lose = `UPDATE stations SET revision = 1, rev_id = '${kept.revId}'; DELETE FROM revisions WHERE revision = 2`;
  await fixture.server.query(lose, url);
  expect(await reader.head(station)).toEqual(kept);
});

it('asks for a migration instead of making one', async () => {
  const url = await fill();
  await fixture.server.query('UPDATE schema_version SET version = 1', url);
  await expect(fixture.open({ url, readOnly: true })).rejects.toThrow(
    `has schema version 1, but reading it needs version ${migrations.length}`,
  );
  await fixture.server.query('UPDATE schema_version SET version = 99', url);
  await expect(fixture.open({ url, readOnly: true })).rejects.toThrow(/schema version 99, this Roster knows/);
  const empty = await fixture.server.createDatabase();
  await expect(fixture.open({ url: empty, readOnly: true })).rejects.toThrow(/has no inventory/);
  expect(await fixture.server.query("SELECT to_regclass('stations') AS made", empty)).toEqual([
    { made: null },
  ]);
});
