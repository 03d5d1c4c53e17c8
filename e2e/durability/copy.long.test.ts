import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresServer } from '@roster/store/postgres-server';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { canMount, neededToMount, SmallDisk } from '../testing/small-disk.ts';
import { startServer } from '../testing/start-server.ts';
import { numbered, Station, stationPath } from '../testing/station.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { runCommand, startCommand } from './testing/roster-command.ts';

let postgres: PostgresServer;

beforeAll(async () => {
  postgres = await PostgresServer.start();
});
afterAll(() => postgres[Symbol.asyncDispose]());

const sizes = { a: 2_000, b: 15_000, c: 1, d: 30_000, e: 500 } as const;
const all = Object.values(sizes).reduce((sum, size) => sum + size, 0);

/** A directory with stations of these sizes, and what a client was told of one of them. */
async function fillDirectory(): Promise<{ data: string; revision: string; listed: unknown }> {
  const server = await startServer();
  for (const [name, size] of Object.entries(sizes)) {
    const station = await Station.create(server, name);
    const response = await station.write(
      numbered(size, name, { sku: '机器 🦄', create_time: '2024-02-29T12:00:00.5Z' }),
    );
    expect(response.status).toBe(200);
  }
  const { resources, revision } = await new Station(server, stationPath('e')).list();
  await server.process.stop();
  return { data: server.data, revision, listed: resources };
}

async function sizesIn(url: string): Promise<Record<string, number>> {
  const rows = await postgres.query(
    `SELECT s.name, (s.counts->>'resources')::int AS counted, count(r.id)::int AS stored
     FROM stations s LEFT JOIN resources r ON r.station_id = s.id GROUP BY s.id ORDER BY s.name`,
    url,
  );
  for (const { counted, stored } of rows) expect(stored).toBe(counted);
  return Object.fromEntries(rows.map(({ name, stored }) => [name, stored]));
}

/** Resolves as soon as a copy has begun with this many stations. */
async function untilStations(url: string, count: number): Promise<void> {
  for (;;) {
    const [schema] = await postgres.query("SELECT to_regclass('stations') IS NOT NULL AS made", url);
    if (schema!.made && Object.keys(await sizesIn(url)).length >= count) return;
    await sleep(5);
  }
}

it('survives being killed again and again, with every station empty or whole, and ends with the same inventory', async () => {
  const { data, revision, listed } = await fillDirectory();
  const url = await postgres.createDatabase();
  const words = ['copy', '--from', `sqlite:${data}`, '--to', url, '--into-existing'];
  for (let kill = 1; kill <= 5; kill++) {
    const { child, ended } = startCommand(words);
    await untilStations(url, kill);
    child.kill('SIGKILL');
    await ended;
    for (const [name, size] of Object.entries(await sizesIn(url))) {
      expect([0, sizes[name as keyof typeof sizes]], `station ${name}`).toContain(size);
    }
  }
  const { code, stdout, stderr } = await runCommand(words);
  expect(stderr).toBe('');
  expect(stdout).toContain(
    `verified: 5 stations, ${String(all).replace(/(\d{3})$/, ' $1')} resources, 1 type`,
  );
  expect(code).toBe(0);
  expect(await sizesIn(url)).toEqual(sizes);

  const server = await startServer({ environment: { ROSTER_DATA: '', ROSTER_DATABASE_URL: url } });
  const copied = new Station(server, stationPath('e'));
  expect((await copied.list()).resources).toEqual(listed);
  expect((await copied.get('', { 'Roster-Revision': revision })).status).toBe(410);
  expect((await copied.ask(`/changes?since=${revision}`)).status).toBe(410);
});

/** So that a copy cannot end before the database is stopped. */
const stopAtD = `
  CREATE FUNCTION sleep() RETURNS trigger LANGUAGE plpgsql
  AS 'BEGIN PERFORM pg_sleep(600); RETURN NEW; END';
  CREATE TRIGGER stop_at_d BEFORE INSERT ON stations
  FOR EACH ROW WHEN (NEW.name = 'd') EXECUTE FUNCTION sleep()`;

it('goes on after the database was stopped in the middle', async () => {
  const { data } = await fillDirectory();
  const url = await postgres.createDatabase();
  expect((await runCommand(['migrate', '--database', url])).code).toBe(0);
  await postgres.query(stopAtD, url);
  const words = ['copy', '--from', `sqlite:${data}`, '--to', url];
  const copying = startCommand(words);
  await untilStations(url, 2);
  await postgres.stop('SIGQUIT');
  const { code, stderr, stdout } = await copying.ended;
  await postgres.start();
  await postgres.query('DROP TRIGGER stop_at_d ON stations', url);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^roster: PostgreSQL at \S+ cannot be used: .*resume with --into-existing\n$/);
  expect((await runCommand(words)).stderr).toMatch(
    /is not empty: it has \d stations?, .*--into-existing adds to it/,
  );
  const again = await runCommand([...words, '--into-existing', '-o', 'json']);
  expect(JSON.parse(again.stdout)).toMatchObject({
    verified: { stations: 5, resources: all, types: 1 },
    differences: [],
  });
  expect(await sizesIn(url)).toEqual(sizes);
});

it('refuses a directory that a server uses, and leaves both alone', async () => {
  const server = await startServer();
  await Station.create(server, 'a');
  const url = await postgres.createDatabase();
  const { code, stderr } = await runCommand(['copy', '--from', `sqlite:${server.data}`, '--to', url]);
  expect(code).toBe(1);
  expect(stderr).toContain(`is in use by process ${server.process.pid}; stop it first`);
  expect(await postgres.query("SELECT to_regclass('stations') AS made", url)).toEqual([{ made: null }]);
  const into = await runCommand(['copy', '--from', url, '--to', `sqlite:${server.data}`]);
  expect(into.stderr).toContain('has no inventory');
});

it.skipIf(!canMount && !process.env.CI)(
  `says when the disk of the target is full, and goes on when there is room${canMount ? '' : ` (needs ${neededToMount})`}`,
  async () => {
    const url = await postgres.createDatabase();
    const { data } = await fillDirectory();
    expect((await runCommand(['copy', '--from', `sqlite:${data}`, '--to', url])).code).toBe(0);
    const disk = await SmallDisk.create(64);
    disk.fill(2 * 1024 * 1024);
    const words = ['copy', '--from', url, '--to', `sqlite:${disk.directory}`];
    const full = await runCommand(words, { launcher: disk.launcher });
    expect(full.code).toBe(1);
    expect(full.stderr).toMatch(/no space left .*resume with --into-existing/);
    disk.free();
    const again = await runCommand([...words, '--into-existing'], { launcher: disk.launcher });
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('verified: 5 stations') });
  },
);

it.skipIf(process.platform !== 'linux')('shows no password to those who list processes', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as { port: number };
  const { process: server, data } = await startServer();
  await server.stop();
  const url = `postgres://roster:very-secret@127.0.0.1:${port}/roster`;
  for (const words of [
    ['copy', '--from', `sqlite:${data}`, '--to', url],
    ['migrate', '--database', url],
  ]) {
    const { child, ended } = startCommand(words);
    await once(silent, 'connection');
    const shown = readFileSync(`/proc/${child.pid}/cmdline`, 'utf8');
    expect(shown).toContain(`roster ${words[0]}`);
    expect(shown).not.toContain('very-secret');
    child.kill('SIGKILL');
    await ended;
  }
});

it('needs little memory, however large a station is', async () => {
  const server = await startServer();
  const station = await Station.create(server, 'large');
  for (const part of ['a', 'b', 'c']) {
    const response = await station.write(numbered(20_000, part, { sku: part.repeat(700) }));
    expect(response.status).toBe(200);
  }
  await server.process.stop();
  // All resources together would not fit.
  const environment = { NODE_OPTIONS: '--max-old-space-size=48' };
  const url = await postgres.createDatabase();
  const there = await runCommand(['copy', '--from', `sqlite:${server.data}`, '--to', url], { environment });
  expect(there.stdout + there.stderr).toContain('verified: 1 station, 60 000 resources');
  const back = ['copy', '--from', url, '--to', `sqlite:${temporaryDirectory()}`];
  const { stdout, stderr } = await runCommand(back, { environment });
  expect(stdout + stderr).toContain('verified: 1 station, 60 000 resources');
});
