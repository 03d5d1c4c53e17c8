import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import type { Store } from '@roster/engine';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { aToken, countResources, put, station } from '../../testing/station-data.ts';
import { migrations } from '../database/migrations.ts';
import { addChecksumFunctions } from '../database/row-checksums.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { head, oldestMs, writeVersion1Database } from '../testing/version-1-database.ts';
import { checkSqliteStore } from './check-sqlite-store.ts';
import { createSqliteStore } from './create-sqlite-store.ts';

let directory: string;

beforeEach(() => {
  directory = temporaryDirectory();
  writeVersion1Database(directory);
});

async function open(): Promise<Store> {
  const store = await createSqliteStore({ directory });
  onTestFinished(() => store.close());
  return store;
}

const aRecord = { line: 1, record: { resourceId: 'x', name: 'x', typeKey: 'resource_type.a' } };

it('keeps stations, resources and types of version 1, and counts them', async () => {
  const store = await open();
  expect(await store.station(station)).toEqual({
    address: station,
    head,
    counts: {
      resources: 3,
      alertable: 2,
      uncovered: 1,
      byState: { ALERTSTATE_FIRING: 1, ALERTSTATE_INACTIVE: 2 },
    },
  });
  expect(await store.station({ ...station, name: 'empty' })).toMatchObject({
    head: { number: 0 },
    counts: { resources: 0, alertable: 0, uncovered: 0, byState: {} },
  });
  expect(await countResources(store)).toBe(3);
  expect(await store.catalog()).toEqual({
    revision: 2,
    isDamaged: false,
    types: new Map([
      ['resource_type.a', { key: 'resource_type.a', labels: { en: 'A' }, product: '', alertable: true }],
      ['resource_type.b', { key: 'resource_type.b', labels: {}, product: '', alertable: true }],
    ]),
  });
});

it('has room for tokens', async () => {
  const store = await open();
  expect(await store.tokens.list()).toEqual([]);
  expect(await store.tokens.addFirst(aToken('a'))).toBe(true);
  expect(await store.tokens.list()).toEqual([aToken('a')]);
});

const numbersOfEnded = 'station_id + revision * 31 + id * 961 + until_revision * 29791 + removed * 923521';
const numbersOfRevision = 'station_id + revision * 31 + committed_ms * 961 + changes * 29791';
/** Undoes migrations; checksums only where rows are read that were written before. */
const withoutCreation = [
  'DROP INDEX resources_by_creation; DROP INDEX past_versions_by_creation;',
  ...[
    ['resources', 'station_id + revision * 31', 'created_revision'],
    ['past_versions', numbersOfEnded, 'created_revision'],
    ['revisions', numbersOfRevision, 'versions'],
  ].map(
    ([table, numbers, column]) =>
      `UPDATE ${table} SET checksum = (checksum & 4294967295) + 4294967296 * ((${numbers}) % 1048573);
       ALTER TABLE ${table} DROP COLUMN ${column};`,
  ),
  'CREATE INDEX resources_by_revision ON resources (station_id, revision);',
  'CREATE INDEX past_versions_by_revision ON past_versions (station_id, revision, id);',
  'CREATE INDEX past_versions_removed ON past_versions (station_id, until_revision, id) WHERE removed = 1;',
].join(' ');
const withoutTrends = `
  ${withoutCreation} DROP TABLE trends; DELETE FROM meta WHERE key = 'trends_sampled_ms';`;
const withoutStateSince = [
  withoutTrends,
  'ALTER TABLE revisions DROP COLUMN changed_by;',
  'DROP TABLE notes; DROP TABLE views; DROP INDEX resources_alerting; DROP INDEX resources_uncovered;',
  ...['resources', 'past_versions'].map(
    (table) => `ALTER TABLE ${table} DROP COLUMN state_since; ALTER TABLE ${table} DROP COLUMN labels;`,
  ),
].join(' ');

/** The statements that gave rows their first checksums. */
const seal = /UPDATE (?:resources|past_versions) SET checksum[^;]*;/g;

it('finds out when resources entered their states from the history', async () => {
  const before = await open();
  const changedAt = async () => (await before.resource(station, 'old')).changedAtMs;
  const old = { resourceId: 'old', name: 'n1', typeKey: 'resource_type.a' };
  await put(before, [{ line: 1, record: { ...old, state: 'ALERTSTATE_PENDING' } }]);
  const pendingMs = await changedAt();
  await put(before, [{ line: 1, record: { ...old, state: 'ALERTSTATE_PENDING', sku: 'new' } }]);
  await put(before, [{ line: 1, record: { ...old, state: 'ALERTSTATE_INACTIVE' } }]);
  const inactiveMs = await changedAt();
  await put(before, [{ line: 1, record: { ...old, sku: 'newer' } }]);
  await before.close();
  const db = new DatabaseSync(join(directory, 'roster.db'));
  addChecksumFunctions(db);
  const version = migrations.findIndex((sql) => sql.includes('state_since'));
  const sealSql = migrations
    .find((sql) => seal.test(sql))!
    .match(seal)!
    .join('\n');
  db.exec(`${withoutStateSince} ${sealSql} PRAGMA user_version = ${version}`);
  db.close();
  const store = await open();
  expect((await store.resource(station, 'old')).resource).toMatchObject({
    stateSinceMs: inactiveMs,
    labels: '{}',
  });
  expect((await store.resource(station, 'new')).resource.stateSinceMs).toBe(oldestMs);
  const { changes } = await store.history(station, { since: undefined, resourceId: 'old', limit: 10 });
  expect(changes.map(({ after }) => after?.stateSinceMs)).toEqual([
    pendingMs,
    pendingMs,
    inactiveMs,
    inactiveMs,
  ]);
});

it('finds out which token made another from what was told of it', async () => {
  const before = await createSqliteStore({ directory });
  const [root, child, orphan] = ['tok_aaaaaaaaaaaa', 'tok_bbbbbbbbbbbb', 'tok_cccccccccccc'] as const;
  await before.tokens.add(aToken(root));
  await before.tokens.add({ ...aToken(child), createdBy: `a (b) (${root})` });
  await before.tokens.add({ ...aToken(orphan), createdBy: 'gone (tok_dddddddddddd)' });
  await before.close();
  const db = new DatabaseSync(join(directory, 'roster.db'));
  const version = migrations.findIndex((sql) => sql.includes('maker_id'));
  db.exec(`ALTER TABLE tokens DROP COLUMN maker_id; ${withoutStateSince} PRAGMA user_version = ${version}`);
  db.close();
  const store = await open();
  const makers = (await store.tokens.list()).map(({ id, makerId }) => [id, makerId]);
  expect(makers).toEqual([
    [root, undefined],
    [child, root],
    [orphan, undefined],
  ]);
});

it('does not know who made a revision from before there were writers', async () => {
  const before = await open();
  await put(before, [aRecord]);
  await before.close();
  const db = new DatabaseSync(join(directory, 'roster.db'));
  const version = migrations.findIndex((sql) => sql.includes('changed_by TEXT;'));
  db.exec(`${withoutTrends} ALTER TABLE revisions DROP COLUMN changed_by; PRAGMA user_version = ${version}`);
  db.close();
  const store = await open();
  await store.removeResource(station, 'old', { changedBy: 'ada' });
  const { changes } = await store.history(station, { since: head, limit: 10 });
  expect(changes.map(({ changedBy }) => changedBy)).toEqual([undefined, 'ada']);
});

it('finds out which revisions created resources from the history', async () => {
  const before = await open();
  const record = (resourceId: string, sku: string) => ({
    line: 1,
    record: { resourceId, name: resourceId, typeKey: 'resource_type.a', sku },
  });
  for (const sku of ['1', '2']) await put(before, [record('twice', sku), record('old', sku)]);
  await before.removeResource(station, 'twice');
  await put(before, [record('once', '3')]);
  for (const sku of ['4', '5']) await put(before, [record('twice', sku)]);
  const known = await before.history(station, { since: head, limit: 20 });
  await before.close();
  const db = new DatabaseSync(join(directory, 'roster.db'));
  const created = () =>
    ['resources', 'past_versions', 'revisions'].map((table) =>
      db
        .prepare(`SELECT * FROM ${table} ORDER BY station_id, revision, ${table === 'revisions' ? 1 : 'id'}`)
        .all(),
    );
  const rows = created();
  const version = migrations.findIndex((sql) => sql.includes('created_revision'));
  db.exec(`${withoutCreation} PRAGMA user_version = ${version}`);
  const store = await open();
  expect(created()).toEqual(rows);
  db.close();
  expect(await store.history(station, { since: head, limit: 20 })).toEqual(known);
  expect((await checkSqliteStore({ directory })).damages).toEqual([]);
});

it('begins the history of version 1 at its head', async () => {
  const store = await open();
  const before = { epoch: head.epoch, number: 6, revId: '6666666666666666' };
  await expect(store.feed(station, before)).rejects.toMatchObject({ code: 'revision_expired' });
  const expired = store.history(station, { since: before, limit: 10 });
  await expect(expired).rejects.toMatchObject({ code: 'revision_expired' });
  await put(store, [aRecord]);
  await store.removeResource(station, 'old');
  const changes = await store.feed(station, head);
  const removed: string[] = [];
  for await (const part of changes.chunks) removed.push(...part.removed);
  expect(removed).toEqual(['old']);
  const { changes: history } = await store.history(station, { since: head, limit: 10 });
  expect(history).toMatchObject([
    { revision: 8, before: undefined, after: { resourceId: 'x' } },
    { revision: 9, before: { resourceId: 'old' }, after: undefined },
  ]);
  expect((await store.station(station))?.counts).toMatchObject({
    resources: 3,
    byState: { ALERTSTATE_INACTIVE: 3 },
  });
});

it('gives resources whose time of change is forgotten the oldest time that is known', async () => {
  const store = await open();
  const stored = await store.resource(station, 'old');
  expect(stored).toMatchObject({ revision: { epoch: head.epoch, number: 3 }, changedAtMs: oldestMs });
  expect(await store.resource(station, 'new')).toMatchObject({
    revision: { number: 6 },
    changedAtMs: oldestMs,
  });
  await put(store, [aRecord]);
  await store.compactHistory(-1000);
  expect(await store.resource(station, 'old')).toEqual(stored);
});

it('is the same after a second start and after a kill', async () => {
  const first = await createSqliteStore({ directory });
  const known = await first.station(station);
  await first.close();
  const again = await createSqliteStore({ directory });
  expect(await again.station(station)).toEqual(known);
  await again.close();
  const program = fileURLToPath(new URL('../testing/abrupt-exit-program.ts', import.meta.url));
  const { signal, stderr } = spawnSync(process.execPath, [program, directory], { encoding: 'utf8' });
  expect(signal, stderr).toBe('SIGKILL');
  const store = await open();
  expect(await store.station(station)).toMatchObject({
    head: { epoch: head.epoch, number: 8 },
    counts: { resources: 503 },
  });
  expect(await countResources(store)).toBe(503);
});
