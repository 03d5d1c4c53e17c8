import { expect, it } from 'vitest';
import { station } from '../testing/station-data.ts';
import { migratePostgresStore } from './migrate-postgres-store.ts';
import { migrations } from './migrations.ts';
import { useServer } from './testing/use-server.ts';

const fixture = useServer();
const newest = migrations.length;

it('prepares an empty database once, however many do it at once', async () => {
  const url = await fixture.server.createDatabase();
  const changes = await Promise.all(Array.from({ length: 5 }, () => migratePostgresStore({ url })));
  expect(changes.filter(({ from }) => from === 0)).toHaveLength(1);
  expect(changes.filter(({ from }) => from === newest)).toHaveLength(4);
  expect(await migratePostgresStore({ url })).toEqual({ from: newest, to: newest });
});

it('brings a database up to date beside a node that runs', async () => {
  const url = await fixture.server.createDatabase();
  const node = await fixture.open({ url });
  await fixture.server.query('DROP TABLE tokens; UPDATE schema_version SET version = 1', url);
  const [change, created] = await Promise.all([migratePostgresStore({ url }), node.createStation(station)]);
  expect(change).toEqual({ from: 1, to: newest });
  expect(created.created).toBe(true);
  expect(await node.tokens.list()).toEqual([]);
});

it('leaves alone what a newer version has written', async () => {
  const url = await fixture.server.createDatabase();
  await migratePostgresStore({ url });
  await fixture.server.query('UPDATE schema_version SET version = 99', url);
  await expect(migratePostgresStore({ url })).rejects.toThrow(
    /has schema version 99, this Roster knows versions/,
  );
});

it('says which right is missing, and shows no password', async () => {
  const url = await fixture.server.createDatabase();
  await fixture.server.query('CREATE ROLE visitor LOGIN', url);
  const refused = migratePostgresStore({ url: url.replace('roster@', 'visitor:secret@') });
  await expect(refused).rejects.toThrow(/this user lacks a privilege .*permission denied for schema public/);
  await expect(refused).rejects.not.toThrow(/secret/);
});
