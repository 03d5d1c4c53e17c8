import type { Store } from '@roster/engine';
import { expect, it } from 'vitest';
import { aBatch, aToken, countResources, put, station } from '../../testing/station-data.ts';
import { backToVersion1, withoutCreation } from '../testing/back-to-version-1.ts';
import { useServer } from '../testing/use-server.ts';
import { addressKey } from './find-station.ts';
import { migrations } from './migrations.ts';

const fixture = useServer();

it('lets ten nodes start at once on an empty database', async () => {
  const url = await fixture.server.createDatabase();
  const stores = await Promise.all(Array.from({ length: 10 }, () => fixture.open({ url, connections: 4 })));
  await stores[0]!.createStation(station);
  await put(stores[1]!, aBatch(5));
  for (const store of stores) expect(await countResources(store)).toBe(5);
  expect(await fixture.server.query('SELECT version FROM schema_version', url)).toEqual([
    { version: migrations.length },
  ]);
});

it('keeps what version 1 had, and adds room for tokens', async () => {
  const url = await fixture.server.createDatabase();
  await fixture.server.query(`${migrations[0]}; CREATE TABLE schema_version (version integer NOT NULL)`, url);
  await fixture.server.query(
    `INSERT INTO schema_version VALUES (1);
     INSERT INTO meta VALUES ('lineage', (SELECT system_identifier FROM pg_control_system()) || ':00000001');
     INSERT INTO stations (revision, address, subscription, resource_group, zone, name, epoch, rev_id, counts)
     VALUES (
       1, '\\x${addressKey(station).toString('hex')}', 'subscription', 'group', 'zone', 'station', 'epoch1', '11',
       '{"resources":1,"alertable":1,"uncovered":1,"byState":{"ALERTSTATE_INACTIVE":1}}'
     );
     INSERT INTO revisions VALUES (1, 0, 5, '00'), (1, 1, 6, '11');
     INSERT INTO resources (
       station_id, revision, alert_rules_count, alertable, resource_id, name, display_name, type_key, product,
       state, sku, gpu_model, create_time
     ) VALUES (1, 1, 0, true, 'a', 'n', 'd', 'resource_type.a', '', 'ALERTSTATE_INACTIVE', '', '', '2026-01-01T00:00:00.0Z');
     INSERT INTO resource_types VALUES ('resource_type.a', '', true, '{"en":"A"}')`,
    url,
  );
  const store = await fixture.open({ url });
  expect(await store.head(station)).toEqual({ epoch: 'epoch1', number: 1, revId: '11' });
  expect(await countResources(store)).toBe(1);
  expect((await store.catalog()).types.get('resource_type.a')?.labels).toEqual({ en: 'A' });
  expect(await store.tokens.addFirst(aToken('a'))).toBe(true);
  expect(await store.tokens.list()).toEqual([aToken('a')]);
});

const withoutStateSince = [
  'ALTER TABLE revisions DROP COLUMN changed_by;',
  "DELETE FROM meta WHERE key = 'trends_sampled_ms';",
  'DROP TABLE trends, notes, views;',
  ...['resources', 'past_versions'].map(
    (table) => `
      ALTER TABLE ${table} DROP COLUMN checksum, DROP COLUMN state_since, DROP COLUMN labels;
      ALTER TABLE ${table} ADD COLUMN checksum uuid;`,
  ),
  withoutCreation,
].join('');

it('finds out when resources entered their states from the history', async () => {
  const url = await fixture.server.createDatabase();
  const before = await fixture.open({ url });
  await before.createStation(station);
  const changedAt = async () => (await before.resource(station, 'vm-0')).changedAtMs;
  const { record } = aBatch(1)[0]!;
  const times: number[] = [];
  for (const [at, state] of ['ALERTSTATE_PENDING', 'ALERTSTATE_PENDING', 'ALERTSTATE_FIRING'].entries()) {
    await put(before, [{ line: 1, record: { ...record, state, alertRulesCount: at } }]);
    times.push(await changedAt());
  }
  await before.close();
  const version = migrations.findIndex((sql) => sql.includes('state_since'));
  await fixture.server.query(`${withoutStateSince} UPDATE schema_version SET version = ${version}`, url);
  const store = await fixture.open({ url });
  const { changes } = await store.history(station, { since: undefined, resourceId: 'vm-0', limit: 10 });
  expect(changes.map(({ after }) => after?.stateSinceMs)).toEqual([times[0], times[0], times[2]]);
});

it('finds out which token made another from what was told of it', async () => {
  const url = await fixture.server.createDatabase();
  const before = await fixture.open({ url });
  const [root, child, orphan] = ['tok_aaaaaaaaaaaa', 'tok_bbbbbbbbbbbb', 'tok_cccccccccccc'] as const;
  await before.tokens.add(aToken(root));
  await before.tokens.add({ ...aToken(child), createdBy: `a (b) (${root})` });
  await before.tokens.add({ ...aToken(orphan), createdBy: 'gone (tok_dddddddddddd)' });
  await before.close();
  const version = migrations.findIndex((sql) => sql.includes('maker_id'));
  await fixture.server.query(
    `ALTER TABLE tokens DROP COLUMN maker_id; ${withoutStateSince} UPDATE schema_version SET version = ${version}`,
    url,
  );
  const store = await fixture.open({ url });
  const makers = (await store.tokens.list()).map(({ id, makerId }) => [id, makerId]);
  expect(makers).toEqual([
    [root, undefined],
    [child, root],
    [orphan, undefined],
  ]);
});

it('finds out when resources were created from the history', async () => {
  const url = await fixture.server.createDatabase();
  const before = await fixture.open({ url });
  await before.createStation(station);
  await put(before, aBatch(3));
  const [first] = aBatch(1);
  for (const state of ['ALERTSTATE_PENDING', 'ALERTSTATE_FIRING']) {
    await put(before, [{ ...first!, record: { ...first!.record, state } }]);
  }
  await before.removeResource(station, 'vm-1');
  const read = async (store: Store) => {
    const { changes } = await store.history(station, { since: undefined, limit: 100 });
    const [part] = await store.readParts([station], 'alerting');
    return { changes, alerting: [...part!.resources].map(({ resourceId }) => resourceId) };
  };
  const written = await read(before);
  expect(written.changes.map(({ revision }) => revision)).toEqual([1, 1, 1, 2, 3, 4]);
  expect(written.alerting).toEqual(['vm-0']);
  await before.close();
  const version = migrations.findIndex((sql) => sql.includes('created_revision'));
  const withMd5 = ['resources', 'past_versions']
    .map((table) => `ALTER TABLE ${table} DROP COLUMN checksum, ADD COLUMN checksum uuid;`)
    .join('');
  const partialIndexes = ['alerting', 'uncovered']
    .map((part) => `CREATE INDEX resources_${part} ON resources (station_id);`)
    .join('');
  await fixture.server.query(
    `${withMd5} ${withoutCreation} ${partialIndexes} UPDATE schema_version SET version = ${version}`,
    url,
  );
  expect(await read(await fixture.open({ url }))).toEqual(written);
});

it('lets a node that is running go on while another one upgrades', async () => {
  const url = await fixture.server.createDatabase();
  const running = await fixture.open({ url });
  await running.createStation(station);
  await fixture.server.query(backToVersion1, url);
  const newer = await fixture.open({ url });
  await put(running, aBatch(2));
  expect(await countResources(newer)).toBe(2);
  expect(await newer.tokens.list()).toEqual([]);
});

it('leaves a database alone that a newer version has written', async () => {
  const url = await fixture.server.createDatabase();
  await (await fixture.open({ url })).close();
  await fixture.server.query('UPDATE schema_version SET version = 99', url);
  await expect(fixture.open({ url })).rejects.toMatchObject({
    code: 'store_unavailable',
    message: expect.stringMatching(new RegExp(`schema version 99.*up to ${migrations.length}`)),
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
