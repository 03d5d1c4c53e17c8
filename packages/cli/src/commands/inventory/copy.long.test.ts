import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createSqliteStore } from '@roster/store';
import { PostgresServer } from '@roster/store/postgres-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Outcome, printed, runRoster, temporaryDirectory } from '../../testing/run-roster.ts';

let postgres: PostgresServer;

beforeAll(async () => {
  postgres = await PostgresServer.start();
});
afterAll(() => postgres[Symbol.asyncDispose]());

const station = { subscription: 'acme', resourceGroup: 'gpu', zone: 'z1', name: '机器 🦄' };

/** A directory with one station of three resources, one type and one token. */
async function inventory(): Promise<string> {
  const directory = temporaryDirectory();
  const store = await createSqliteStore({ directory });
  await store.createStation(station);
  const batch = await store.openBatch(station);
  await batch.add(
    ['a', 'b', 'c'].map((id, index) => ({
      line: index + 1,
      record: { resourceId: id, name: id, typeKey: 'resource_type.x', typeLabel: 'X' },
    })),
  );
  await batch.commit();
  await store.tokens.add({
    id: 'tok_1',
    name: 'first',
    hash: '0'.repeat(64),
    role: 'admin',
    scopes: ['**'],
    createdAtMs: 1,
    createdBy: 'first start',
    makerId: undefined,
    expiresAtMs: undefined,
    lastUsedAtMs: undefined,
  });
  for (const owner of ['shared', 'token:tok_1']) {
    const view = { owner, name: 'firing', station: undefined, query: 'state=firing' };
    await store.views.put({ ...view, changedAtMs: 1, changedBy: 'test' });
  }
  await store.close();
  return directory;
}

function copy(from: string, to: string, ...words: string[]): Promise<Outcome> {
  return runRoster(['copy', '--from', from, '--to', to, ...words]);
}

it('copies an inventory to PostgreSQL and back, and says what was verified', async () => {
  const directory = await inventory();
  const url = await postgres.createDatabase();
  const all = '1 station, 3 resources, 1 type, 1 token, 2 views';
  const report = `copied: ${all}\nverified: ${all} match the source\n`;
  expect(await copy(`sqlite:${directory}`, url)).toEqual({ code: 0, stdout: report, stderr: '' });
  const back = temporaryDirectory();
  expect(await copy(url, `sqlite:${back}`)).toEqual({ code: 0, stdout: report, stderr: '' });
  const again = await copy(url, `sqlite:${back}`, '--into-existing', '-o', 'json');
  expect(JSON.parse(again.stdout)).toEqual({
    from: url.replace('postgres://roster@', ''),
    to: back,
    copied: { stations: 0, resources: 0, types: 0, tokens: 0, views: 0 },
    verified: { stations: 1, resources: 3, types: 1, tokens: 1, views: 2 },
    differences: [],
  });
});

it('leaves the tokens out with --without-tokens', async () => {
  const url = await postgres.createDatabase();
  const { stdout } = await copy(`sqlite:${await inventory()}`, url, '--without-tokens');
  expect(stdout).toContain('verified: 1 station, 3 resources, 1 type, 0 tokens, 1 view');
  expect(await postgres.query('SELECT id FROM tokens', url)).toEqual([]);
});

it('writes to a non-empty target only when told to, and overwrites only with --replace', async () => {
  const source = `sqlite:${await inventory()}`;
  const url = await postgres.createDatabase();
  await copy(source, url);
  await postgres.query("UPDATE resources SET sku = 'other' WHERE resource_id = 'a'", url);
  const refused = await copy(source, url);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(
    /^roster: \S+ is not empty: it has 1 station, 3 resources, 1 type, 1 token, 2 views; --into-existing adds to it, or resumes an interrupted copy; --replace also overwrites what differs\n$/,
  );
  const kept = await copy(source, url, '--into-existing');
  expect(kept).toMatchObject({
    code: 1,
    stdout: 'copied: 0 stations, 0 resources, 0 types, 0 tokens, 0 views\n',
  });
  expect(kept.stderr).toMatch(
    /^station subscriptions\/acme\/\S+ differs in the target\nroster: 1 difference /,
  );
  expect(await postgres.query("SELECT sku FROM resources WHERE resource_id = 'a'", url)).toEqual([
    { sku: 'other' },
  ]);
  const replaced = await copy(source, url, '--replace');
  expect(replaced).toMatchObject({ code: 0, stderr: '' });
  expect(replaced.stdout).toMatch(
    /^copied: 1 station, 3 resources, 0 types, 0 tokens, 0 views\nverified: 1 station/,
  );
});

it.each([
  [['copy'], '--from is missing'],
  [['copy', '--from', 'sqlite:x'], '--to is missing'],
  [['copy', '--from', 'sqlite:', '--to', 'sqlite:y'], '--from must name a directory, as in sqlite:./data'],
  [['copy', '--from', 'sqlite:x', '--to', 'sqlite:./x'], '--from and --to are both'],
  [
    ['copy', '--from', 'mysql://u:secret@h/d', '--to', 'sqlite:y'],
    '--from must be sqlite:DIRECTORY, or like postgres://',
  ],
  [['copy', '--from', 'sqlite:x', '--to', 'postgres://u:secret@h'], '--to must name a database'],
  [['copy', '--from', 'sqlite:x', '--to', 'postgres://u:secret@h/d?sslmod=x'], 'did you mean sslmode?'],
  [['migrate', '--database', 'postgres://u:secret%@h/d'], '--database must be percent-encoded'],
  [
    ['migrate', '--database', 'postgres://u:secret@h/d', '--data', 'x'],
    '--database cannot be combined with --data',
  ],
])('refuses %j as wrong use, and repeats no secret', async (words, reason) => {
  const { code, stdout, stderr } = await runRoster(words);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(reason);
  expect(stderr).not.toContain('secret');
});

it('takes a URL from a file', async () => {
  const directory = temporaryDirectory();
  const file = path.join(directory, 'url');
  writeFileSync(file, `  ${await postgres.createDatabase()}\n`);
  const { code, stderr } = await copy(`sqlite:${await inventory()}`, `@${file}`);
  expect([code, stderr]).toEqual([0, '']);
  expect(await printed(['migrate', '--database', `@${file}`])).toContain('is up to date');
  const missing = await copy('sqlite:x', `@${directory}/none`);
  expect(missing.stderr).toMatch(/cannot read the URL for --to from .*none: no such file/);
});

it('explains an invalid source or target, and writes nothing', async () => {
  const source = `sqlite:${await inventory()}`;
  const nowhere = path.join(temporaryDirectory(), 'none');
  expect((await copy(`sqlite:${nowhere}`, await postgres.createDatabase())).stderr).toContain(
    `there is no inventory in ${nowhere}`,
  );
  expect(existsSync(nowhere)).toBe(false);
  const missing = (await copy(source, postgres.url('missing', 'roster:secret'))).stderr;
  expect(missing).toMatch(/cannot be used: it has no such database/);
  expect(missing).not.toContain('secret');
  expect((await copy(source, 'postgres://roster@127.0.0.1:1/roster')).stderr).toMatch(
    /cannot be used: .*ECONNREFUSED/,
  );
  const newer = await postgres.createDatabase();
  await copy(source, newer);
  await postgres.query('UPDATE schema_version SET version = 99', newer);
  for (const [from, to] of [
    [source, newer],
    [newer, `sqlite:${temporaryDirectory()}`],
  ]) {
    expect(await copy(from!, to!, '--into-existing')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^roster: \S+ has schema version 99, this Roster knows versions up to \d/,
      ),
    });
  }
});

it('says when the database has no connections left', async () => {
  const url = await postgres.createDatabase();
  await postgres.query('CREATE ROLE narrow LOGIN CONNECTION LIMIT 1', url);
  await postgres.query('GRANT ALL ON SCHEMA public TO narrow', url);
  const { code, stderr } = await copy(`sqlite:${await inventory()}`, url.replace('roster@', 'narrow@'));
  expect(code).toBe(1);
  expect(stderr).toContain('it has no connections left');
});

/** Undoes later migrations. SQLite drops one column at a time. */
const withoutNewColumns = [
  ...['stations', 'resources', 'past_versions', 'resource_types'].map(
    (table) => `${table} DROP COLUMN checksum`,
  ),
  ...['resources', 'past_versions'].flatMap((table) =>
    ['state_since', 'labels'].map((column) => `${table} DROP COLUMN ${column}`),
  ),
  'revisions DROP COLUMN changed_by',
]
  .map((change) => `ALTER TABLE ${change};`)
  .concat('DROP INDEX resources_alerting;', 'DROP INDEX resources_uncovered;')
  .join(' ');

it('migrates data once, and reports it', async () => {
  const url = await postgres.createDatabase();
  const name = url.replace('postgres://roster@', '');
  expect(await printed(['migrate', '--database', url])).toMatch(
    new RegExp(`^${name} is ready for an inventory \\(schema version \\d+\\)\n$`),
  );
  await postgres.query(
    `DROP TABLE tokens, views, notes, trends; DELETE FROM meta WHERE key = 'trends_sampled_ms';
     DROP FUNCTION roster_damaged; CREATE INDEX resources_alerting ON resources (station_id); ${withoutNewColumns}
     DROP TABLE alerting; ALTER TABLE resources DROP COLUMN created_revision, DROP COLUMN uncovered;
     ALTER TABLE past_versions DROP COLUMN created_revision;
     CREATE INDEX resources_by_revision ON resources (station_id, revision, id);
     CREATE INDEX past_versions_by_revision ON past_versions (station_id, revision, id);
     UPDATE schema_version SET version = 1`,
    url,
  );
  expect(await printed(['migrate', '--database', url])).toMatch(
    /was migrated from schema version 1 to \d+\n$/,
  );
  expect(await printed(['migrate', '--database', url])).toMatch(/is up to date \(schema version \d+\)\n$/);

  const directory = await inventory();
  expect(await printed(['migrate', '--data', directory])).toMatch(/is up to date/);
  const db = new DatabaseSync(path.join(directory, 'roster.db'));
  db.exec(
    `DROP TABLE tokens; DROP TABLE views; DROP TABLE notes; DROP TABLE trends;
     DELETE FROM meta WHERE key = 'trends_sampled_ms'; ${withoutNewColumns}
     ALTER TABLE revisions DROP COLUMN checksum; ALTER TABLE revisions DROP COLUMN changes;
     ALTER TABLE revisions DROP COLUMN versions;
     DROP INDEX resources_by_creation; ALTER TABLE resources DROP COLUMN created_revision;
     DROP INDEX past_versions_by_creation; ALTER TABLE past_versions DROP COLUMN created_revision;
     CREATE INDEX resources_by_revision ON resources (station_id, revision);
     CREATE INDEX past_versions_by_revision ON past_versions (station_id, revision, id);
     CREATE INDEX past_versions_removed ON past_versions (station_id, until_revision, id) WHERE removed = 1;
     DELETE FROM meta WHERE key = 'type_count'; PRAGMA user_version = 2`,
  );
  db.close();
  const older = await copy(`sqlite:${directory}`, await postgres.createDatabase());
  expect(older).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('roster migrate'),
  });
  const outcome = await printed(['migrate', '--data', directory, '-o', 'json']);
  expect(JSON.parse(outcome)).toMatchObject({ data: directory, from: 2 });
  expect((await copy(`sqlite:${directory}`, await postgres.createDatabase())).code).toBe(0);
});

it('finds the inventory to migrate as roster serve does', async () => {
  const directory = await inventory();
  const migrated = (environment: Record<string, string>, ...words: string[]) =>
    runRoster(['migrate', ...words], { environment, cwd: temporaryDirectory() });
  expect((await migrated({ ROSTER_DATA: directory })).stdout).toContain(`${directory} is up to date`);
  const url = await postgres.createDatabase();
  expect((await migrated({ ROSTER_DATABASE_URL: url })).stdout).toContain('is ready for an inventory');
  const file = path.join(directory, 'roster.yaml');
  writeFileSync(file, `database:\n  url: ${url}\n`);
  expect((await migrated({}, '--config', file)).stdout).toContain('is up to date');
  const nothing = await migrated({});
  expect(nothing).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/there is no inventory in \S+\/data/),
  });
  const wrong = await migrated({ ROSTER_DATABASE_URL: 'postgres://u:secret@h' });
  expect(wrong.stderr).toMatch(/ROSTER_DATABASE_URL must name a database/);
  expect(wrong.stderr).not.toContain('secret');
});
