import { expect, it } from 'vitest';
import { createPostgresStore } from '../create-postgres-store.ts';
import { PostgresServer } from '../testing/postgres-server.ts';
import { useServer } from '../testing/use-server.ts';
import { requireUsable, type ServerState } from './inspect-server.ts';

const fixture = useServer();

async function refusal(url: string): Promise<string> {
  const error = await createPostgresStore({ url }).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: 'store_unavailable' });
  return (error as Error).message;
}

it('refuses a server that acknowledges what it may lose, wherever that is set', async () => {
  const { server } = fixture;
  const ofDatabase = await server.createDatabase();
  const name = ofDatabase.slice(ofDatabase.lastIndexOf('/') + 1);
  await server.query(`ALTER DATABASE ${name} SET synchronous_commit = off`);
  expect(await refusal(ofDatabase)).toMatch(/synchronous_commit is off/);
  await server.query('CREATE ROLE hasty LOGIN SUPERUSER; ALTER ROLE hasty SET synchronous_commit = off');
  const ofRole = (await server.createDatabase()).replace('roster@', 'hasty@');
  expect(await refusal(ofRole)).toMatch(/synchronous_commit is off/);
});

it('refuses a database that keeps text in another encoding', async () => {
  const url = await fixture.server.createDatabase("ENCODING 'LATIN1' TEMPLATE template0");
  expect(await refusal(url)).toMatch(/LATIN1.*ENCODING 'UTF8'/);
});

it('says which privileges are missing', async () => {
  const { server } = fixture;
  const url = await server.createDatabase();
  await server.query('CREATE ROLE guest LOGIN', url);
  expect(await refusal(url.replace('roster@', 'guest@'))).toMatch(/lacks a privilege.*schema public/);
  await (await createPostgresStore({ url })).close();
  const granted = 'GRANT SELECT ON ALL TABLES IN SCHEMA public TO guest';
  await server.query(`${granted}; GRANT INSERT, UPDATE ON meta TO guest`, url);
  const message = await refusal(url.replace('roster@', 'guest@'));
  expect(message).toMatch(/does not grant this user .*INSERT ON stations/);
  expect(message).not.toMatch(/INSERT ON meta/);
});

it('says where it could not connect, and no password', async () => {
  const { port } = fixture.server;
  expect(await refusal(`postgres://roster:secret@127.0.0.1:${port}/missing`)).toMatch(
    new RegExp(`127.0.0.1:${port}/missing cannot be used: it has no such database`),
  );
  const unreachable = await refusal('postgres://roster:secret@127.0.0.1:1/roster');
  expect(unreachable).toMatch(/127.0.0.1:1\/roster.*ECONNREFUSED/);
  expect(unreachable).not.toMatch(/secret/);
});

it('refuses a standby', async () => {
  await using server = await PostgresServer.start();
  const url = await server.createDatabase();
  await server.stop();
  server.becomeStandby();
  await server.start();
  expect(await refusal(url)).toMatch(/is a standby; connect to the primary/);
});

it('refuses versions below 15 and servers that do not sync', () => {
  const state: ServerState = {
    version: 180_000,
    version_text: '18.0',
    standby: false,
    synchronous_commit: 'on',
    fsync: 'on',
    encoding: 'UTF8',
    lineage: '1:00000001',
    started_at: 'now',
  };
  expect(() => requireUsable(state, 'db')).not.toThrow();
  expect(() => requireUsable({ ...state, version: 149_999, version_text: '14.9' }, 'db')).toThrow(
    'PostgreSQL at db has version 14.9; Roster needs 15 or newer',
  );
  expect(() => requireUsable({ ...state, fsync: 'off' }, 'db')).toThrow(/fsync is off/);
  for (const synchronous_commit of ['local', 'remote_write', 'remote_apply']) {
    expect(() => requireUsable({ ...state, synchronous_commit }, 'db')).not.toThrow();
  }
});
