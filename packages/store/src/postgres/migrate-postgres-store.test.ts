import { expect, it } from 'vitest';
import { station } from '../testing/station-data.ts';
import { migratePostgresStore } from './create-postgres-store.ts';
import { migrations } from './schema/migrations.ts';
import { backToVersion1 } from './testing/back-to-version-1.ts';
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

/** Every column, index and function of a database, as SQL would make it. */
function schemaOf(url: string) {
  return fixture.server.query(
    `SELECT table_name || '.' || column_name AS name, concat_ws(' ', data_type, column_default, is_nullable) AS made
     FROM information_schema.columns WHERE table_schema = 'public'
     UNION ALL SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
     UNION ALL SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace
     ORDER BY name, made`,
    url,
  );
}

it.each(migrations.slice(1).map((_, index) => index + 1))(
  'makes of version %i what an empty database becomes',
  async (version) => {
    const [old, empty] = [await fixture.server.createDatabase(), await fixture.server.createDatabase()];
    const steps = migrations.slice(0, version).join(';');
    await fixture.server.query(
      `${steps}; CREATE TABLE schema_version (version integer NOT NULL); INSERT INTO schema_version VALUES (${version})`,
      old,
    );
    expect(await migratePostgresStore({ url: old })).toEqual({ from: version, to: newest });
    await migratePostgresStore({ url: empty });
    expect(await schemaOf(old)).toEqual(await schemaOf(empty));
  },
);

it('brings a database up to date from the first version beside a node that runs', async () => {
  const url = await fixture.server.createDatabase();
  const node = await fixture.open({ url });
  await fixture.server.query(backToVersion1, url);
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
