import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TestServer } from './testing/test-server.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'roster-read-ahead-'));
  await using server = await TestServer.start({ ROSTER_DATA: directory });
  for (const [station, count] of Object.entries({ small: 9_999, large: 10_000, largest: 12_000 })) {
    const url = urlOf(server, station);
    expect((await fetch(url, { method: 'PUT' })).status).toBe(201);
    const headers = { 'Content-Type': 'application/x-ndjson' };
    const answer = await fetch(`${url}/resources`, { method: 'POST', headers, body: records(count) });
    expect(answer.status).toBe(200);
  }
});

afterEach(() => rm(directory, { recursive: true }));

function urlOf({ url }: TestServer, station: string): string {
  return `${url}/roster/v1/subscriptions/s/resourceGroups/g/zones/z/telemetryStations/${station}`;
}

function records(count: number): string {
  const typed = '{"resource_type":"resource_type.compute.vm"';
  return Array.from(
    { length: count },
    (_, at) => `${typed},"resource_id":"r-${at}","name":"n-${at}"}\n`,
  ).join('');
}

async function indexed({ metricsUrl }: TestServer): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  return Number(/^roster_index_resources (\d+)$/m.exec(text)![1]);
}

it('reads large stations into memory when it starts, and no others', async () => {
  await using server = await TestServer.start({ ROSTER_DATA: directory });
  await expect.poll(() => indexed(server), { timeout: 20_000 }).toBe(22_000);
  await sleep(300);
  expect(await indexed(server)).toBe(22_000);
});

for (const [memory, resources] of [
  [24, 12_000],
  [22, 10_000],
]) {
  it(`reads the largest ones that fit into half of the memory for indexes, of ${memory} MiB`, async () => {
    const environment = { ROSTER_DATA: directory, ROSTER_INDEX_MEMORY_MB: `${memory}` };
    await using server = await TestServer.start(environment);
    await expect.poll(() => indexed(server), { timeout: 20_000 }).toBe(resources);
    await sleep(300);
    expect(await indexed(server)).toBe(resources);
  });
}

it('removes what is saved of stations that there are no more', async () => {
  const snapshots = path.join(directory, 'snapshots');
  await mkdir(snapshots, { recursive: true });
  await writeFile(path.join(snapshots, `${'a'.repeat(64)}.snapshot`), 'of a station that was deleted');
  await using server = await TestServer.start({ ROSTER_DATA: directory });
  await expect.poll(() => readdir(snapshots), { timeout: 20_000 }).toEqual([]);
  await expect.poll(() => indexed(server), { timeout: 20_000 }).toBe(22_000);
});

it('can be stopped while it reads', async () => {
  for (let round = 0; round < 5; round++) {
    const server = await TestServer.start({ ROSTER_DATA: directory });
    await server[Symbol.asyncDispose]();
  }
});
