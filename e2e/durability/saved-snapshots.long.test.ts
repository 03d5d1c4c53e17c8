import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { canMount, neededToMount, SmallDisk } from '../testing/small-disk.ts';
import { type RunningServer, startServer } from '../testing/start-server.ts';
import { numbered, Station } from '../testing/station.ts';

const size = 12_000;

function filesBeside(data: string): string[] {
  const directory = path.join(data, 'snapshots');
  return existsSync(directory) ? readdirSync(directory).map((name) => path.join(directory, name)) : [];
}

/** Those that are whole: what is being written has another name. */
function savedFiles(data: string): string[] {
  return filesBeside(data).filter((file) => file.endsWith('.snapshot'));
}

/** How the index of the one station that there is came into memory. */
async function builtFrom(server: RunningServer): Promise<string[]> {
  const metrics = await (await server.fetch('/metrics')).text();
  const counts = metrics.matchAll(/^roster_index_build_duration_seconds_count\{from="(\w+)"\} [1-9]/gm);
  return Array.from(counts, ([, from]) => from!);
}

async function filled(
  environment: Record<string, string> = {},
): Promise<{ server: RunningServer; station: Station }> {
  const server = await startServer({ environment });
  const station = await Station.create(server);
  expect((await station.write(numbered(size, 'vm', { display_name: '节点 "1"' }))).status).toBe(200);
  expect(await station.total()).toBe(size);
  return { server, station };
}

async function everythingOf(station: Station) {
  return { list: await station.list(), summary: await station.summary(), csv: await station.export('csv') };
}

it('starts from what the last run has saved, killed or not, and from the database without it', async () => {
  const { server, station } = await filled();
  const before = await everythingOf(station);
  expect(await server.process.stop()).toEqual({ code: 0, signal: null });
  const { data } = server;
  const [file, ...more] = savedFiles(data);
  expect([more, statSync(file!).mode & 0o007]).toEqual([[], 0]);

  for (const [what, from] of [
    ['saved', 'saved'],
    ['killed', 'saved'],
    ['damaged', 'whole'],
    ['removed', 'whole'],
  ]) {
    if (what === 'damaged') writeFileSync(file!, readFileSync(file!).fill(0, 1_000, 2_000));
    if (what === 'removed') rmSync(path.join(data, 'snapshots'), { recursive: true });
    const next = await startServer({ data });
    expect(await everythingOf(new Station(next, station.path)), what).toEqual(before);
    expect(await builtFrom(next), what).toEqual([from]);
    expect(next.process.stderr.includes('a saved snapshot cannot be read'), what).toBe(what === 'damaged');
    if (what === 'saved') await next.process.kill();
    else await next.process.stop();
  }
  expect(savedFiles(data)).toEqual([file]);
});

it('shows what was written after the save, when it is killed then', async () => {
  const { server, station } = await filled();
  await server.process.stop();
  const { data } = server;
  const second = await startServer({ data });
  const written = new Station(second, station.path);
  expect((await written.write(numbered(50, 'late'))).status).toBe(200);
  expect((await written.remove('vm-00007')).status).toBe(200);
  const expected = await everythingOf(written);
  await second.process.kill();
  const third = await startServer({ data });
  expect(await everythingOf(new Station(third, station.path))).toEqual(expected);
  expect(await builtFrom(third)).toEqual(['saved']);
});

it('survives being killed at any moment of a save', async () => {
  const { server, station } = await filled();
  const { data } = server;
  const before = await everythingOf(station);
  await server.process.kill();
  for (let round = 0; round < 12; round++) {
    const next = await startServer({ data });
    const again = new Station(next, station.path);
    expect(await everythingOf(again)).toEqual(before);
    next.process.signal('SIGTERM');
    await sleep(round * 4);
    await next.process.kill();
    if (round % 3 === 2) rmSync(path.join(data, 'snapshots'), { recursive: true, force: true });
  }
  const last = await startServer({ data });
  await expect.poll(() => filesBeside(data)).toEqual(savedFiles(data));
  expect(await everythingOf(new Station(last, station.path))).toEqual(before);
  expect(last.process.stderr).toBe('');
});

it('saves while it runs, so that one that is killed starts as fast', async () => {
  const { server, station } = await filled({ ROSTER_SNAPSHOT_SAVE_SECONDS: '1' });
  const before = await everythingOf(station);
  await expect.poll(() => savedFiles(server.data).length, { timeout: 60_000 }).toBe(1);
  await server.process.kill();
  const next = await startServer({ data: server.data });
  expect(await everythingOf(new Station(next, station.path))).toEqual(before);
  expect(await builtFrom(next)).toEqual(['saved']);
});

it.skipIf(!canMount && !process.env.CI)(
  `leaves the disk to the database when there is little room${canMount ? '' : ` (needs ${neededToMount})`}`,
  async () => {
    const disk = await SmallDisk.create(64);
    const options = { data: disk.directory, launcher: disk.launcher };
    const server = await startServer(options);
    const station = await Station.create(server);
    expect((await station.write(numbered(size))).status).toBe(200);
    const before = await everythingOf(station);
    // Enough for the file, and not for as much again.
    disk.fill(6 * 2 ** 20);
    expect(await server.process.stop()).toEqual({ code: 0, signal: null });
    expect(server.process.stderr).toContain('there is too little room on the disk');
    const next = await startServer(options);
    const again = new Station(next, station.path);
    expect(await everythingOf(again)).toEqual(before);
    expect(await builtFrom(next)).toEqual(['whole']);
    expect((await again.write(numbered(10, 'late'))).status).toBe(200);
  },
);
