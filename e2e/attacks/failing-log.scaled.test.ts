import { spawnSync } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { longOnly, shortOnly } from '../../testing/scale.ts';
import { expectProblem, toAnswer } from '../testing/check-answer.ts';
import { Load } from '../testing/load.ts';
import { canMount, neededToMount, SmallDisk } from '../testing/small-disk.ts';
import { type RunningServer, startServer } from '../testing/start-server.ts';
import { numbered, Station, stationPath } from '../testing/station.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

const onSmallDisk = it.skipIf(!canMount && !process.env.CI);
const note = canMount ? '' : ` (needs ${neededToMount})`;

/** Runs the server with its log in a file. */
const logTo = (file: string) => ['sh', '-c', 'exec "$@" 2>>"$0"', file];
const everything = { ROSTER_LOG_LEVEL: 'debug' };
const patiently = { timeout: 20_000 };

async function lost(server: RunningServer, what: 'log' | 'audit'): Promise<number> {
  const text = await (await server.fetch('/metrics')).text();
  return Number(new RegExp(`^roster_${what}_lines_lost_total (\\d+)$`, 'm').exec(text)![1]);
}

/** One of each kind that is logged or audited, and what it has to be answered with. */
async function expectAnswers(server: RunningServer, station: Station): Promise<void> {
  const inTime = { signal: AbortSignal.timeout(10_000) };
  const refused = await server.fetch('/roster/v1/nowhere', inTime);
  expectProblem(await toAnswer(refused), 404, 'route_not_found');
  const faulty = await server.fetch(`/roster/v1${station.path}/resources`, {
    method: 'POST',
    body: '{}',
    headers: { 'Content-Type': 'application/x-ndjson' },
    ...inTime,
  });
  expectProblem(await toAnswer(faulty), 422, 'invalid_records');
  expect((await station.write(numbered(10))).status).toBe(200);
  expect(await station.total()).toBe(10);
  expect((await server.fetch('/readyz', inTime)).status).toBe(200);
}

longOnly(onSmallDisk)(
  `answers while its log and its data are on a full disk, and tells of it later${note}`,
  async () => {
    const disk = await SmallDisk.create(48);
    const launcher = [...disk.launcher, ...logTo(join(disk.directory, 'log'))];
    const server = await startServer({ data: disk.directory, launcher, environment: everything });
    const station = await Station.create(server);
    disk.fill();
    const large = numbered(20_000, 'large', { sku: 'x'.repeat(500) });
    for (let attempt = 0; attempt < 3; attempt++) {
      expectProblem(await toAnswer(await station.write(large)), 507, 'storage_full');
    }
    // What is refused is logged, and the log may still have room in its last page.
    await expect
      .poll(async () => {
        expect((await server.fetch('/roster/v1/nowhere')).status).toBe(404);
        return lost(server, 'log');
      }, patiently)
      .toBeGreaterThan(0);
    const count = await lost(server, 'log');
    disk.free();
    await expect.poll(() => disk.read('log'), patiently).toContain(`"lost":${count}`);
    await expectAnswers(server, station);
    lastLines(disk.read('log'), 3);
    expect(disk.read('log')).toMatch(/"msg":"\d+ log lines were lost between \d{4}-\S+Z and \d{4}-\S+Z"/);
    expect(await lost(server, 'log')).toBe(count);
    expect(await server.process.stop()).toEqual({ code: 0, signal: null });
  },
);

shortOnly(it)('answers while no line of its log can be written', async () => {
  const server = await startServer({ launcher: logTo('/dev/full'), environment: everything });
  await expectAnswers(server, await Station.create(server));
  await expect.poll(() => lost(server, 'log')).toBeGreaterThanOrEqual(2);
  expect(await server.process.stop()).toEqual({ code: 0, signal: null });
});

shortOnly(it)('answers when whoever read its log and its greeting has gone', async () => {
  const server = await startServer({ environment: everything });
  server.process.stopListening();
  await expectAnswers(server, await Station.create(server));
  await expect.poll(() => lost(server, 'log')).toBeGreaterThanOrEqual(2);
  expect(await server.process.stop()).toEqual({ code: 0, signal: null });
});

longOnly(it)('answers while nobody reads its log, holds little of it, and tells what was lost', async () => {
  const pipe = join(temporaryDirectory(), 'log');
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(reader));
  // The audit is in the log too here.
  const environment = { ...everything, ROSTER_AUDIT_FILE: '' };
  const server = await startServer({ launcher: logTo(pipe), environment });
  const station = await Station.create(server);
  const before = server.process.residentMb();
  const url = `${server.url}/roster/v1/nowhere?${'x'.repeat(500)}`;
  while ((await lost(server, 'log')) < 1_000) await new Load({ url }).sendInLanes(20, 500);
  await expectAnswers(server, station);
  expect(server.process.residentMb() - before).toBeLessThan(100);
  const read = () => {
    const buffer = Buffer.alloc(1 << 20);
    try {
      return buffer.toString('utf8', 0, readSync(reader, buffer));
    } catch {
      return '';
    }
  };
  let text = '';
  await expect
    .poll(() => (text += read()), { ...patiently, interval: 1 })
    .toMatch(/"msg":"\d+ log lines were lost/);
  const count = Number(/"lost":(\d+)/.exec(text)![1]);
  expect(await lost(server, 'log')).toBe(count);
  expect(await server.process.stop()).toEqual({ code: 0, signal: null });
});

/** The last lines of a text, for one before them may have been torn when the disk was full. */
const lastLines = (text: string, count: number) =>
  text
    .trim()
    .split('\n')
    .slice(-count)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

longOnly(it)('writes without an audit where none is required, and tells what is missing', async () => {
  const file = join(temporaryDirectory(), 'audit', 'audit.jsonl');
  mkdirSync(dirname(file));
  const server = await startServer({ environment: { ROSTER_AUDIT_FILE: file } });
  await Station.create(server, 'before');
  rmSync(dirname(file), { recursive: true });
  const station = await Station.create(server, 'between');
  await expectAnswers(server, station);
  const count = await lost(server, 'audit');
  expect(count).toBe(3);
  expect(server.process.stderr.match(/the audit cannot be written/g)).toHaveLength(1);
  mkdirSync(dirname(file));
  await expect
    .poll(() => existsSync(file) && readFileSync(file, 'utf8'), patiently)
    .toContain('"event":"gap"');
  await Station.create(server, 'after');
  const [gap, after] = lastLines(readFileSync(file, 'utf8'), 2);
  expect(gap).toMatchObject({ event: 'gap', lost: count, from: expect.any(String), to: expect.any(String) });
  expect(after).toMatchObject({ event: 'write', operation: 'createStation' });
  expect(server.process.stderr).toContain(`"msg":"${count} audit lines were lost between `);
  expect(await lost(server, 'audit')).toBe(count);
});

shortOnly(onSmallDisk)(
  `refuses writes whose audit is required and cannot be written, and takes them later${note}`,
  async () => {
    const disk = await SmallDisk.create(1);
    const environment = { ROSTER_AUDIT_FILE: join(disk.directory, 'audit'), ROSTER_AUDIT_REQUIRED: 'true' };
    const server = await startServer({ launcher: disk.launcher, environment });
    const station = await Station.create(server);
    expect((await station.write(numbered(10))).status).toBe(200);
    disk.fill();
    const revision = (await station.list()).revision;
    const refusals = async () => [
      await station.write(numbered(10, 'more')),
      await station.remove('vm-00000'),
      await station.delete(),
      await new Station(server, stationPath('another')).put(),
      await server.fetch('/roster/v1/resource-types/resource_type.a.b', { method: 'PUT' }),
    ];
    // The last page of the file may have room for some lines.
    await expect
      .poll(async () => (await new Station(server, stationPath('x'.repeat(200))).put()).status, patiently)
      .toBe(503);
    for (const refused of await refusals()) {
      expectProblem(await toAnswer(refused), 503, 'audit_unavailable');
      expect(refused.headers.get('retry-after')).not.toBeNull();
    }
    expect(await station.list()).toMatchObject({ revision, page: null });
    expect((await station.write(numbered(10, 'more'), { query: '?dry_run=true' })).status).toBe(200);
    expect((await server.fetch('/readyz')).status).toBe(200);
    expect(await lost(server, 'audit')).toBeGreaterThanOrEqual(6);

    disk.free();
    expect((await station.write(numbered(5, 'more'))).status).toBe(200);
    const [gap, attempt, write] = lastLines(disk.read('audit'), 3);
    expect(gap).toMatchObject({ event: 'gap', lost: await lost(server, 'audit') });
    expect(attempt).toMatchObject({
      event: 'attempt',
      operation: 'writeResources',
      station: station.path.slice(1),
    });
    expect(write).toMatchObject({
      event: 'write',
      operation: 'writeResources',
      status: 200,
      request_id: attempt!.request_id,
    });
  },
);
