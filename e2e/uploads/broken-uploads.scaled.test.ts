import { readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import zlib from 'node:zlib';
import { expect, it } from 'vitest';
import { longOnly, scale } from '../../testing/scale.ts';
import { seed } from '../../testing/seed.ts';
import { SeededRandom } from '../../testing/seeded-random.ts';
import { expectProblem } from '../testing/check-answer.ts';
import { startServer } from '../testing/start-server.ts';
import { type Format, numbered, Station, toNdjson } from '../testing/station.ts';
import { Upload } from '../testing/upload.ts';

const megabyte = 1024 * 1024;
const allowedGrowthMb = 80;

const resources = numbered(3_000, 'broken');
const lines = toNdjson(resources).trim().split('\n');

const manyResources = numbered(20_000, 'broken');
const manyLines = toNdjson(manyResources).trim().split('\n');
const bodies: Record<Format, string> = {
  ndjson: manyLines.join('\n'),
  json: `{"page":null,"resources":[${manyLines.join()}]}`,
  csv: `resource_id,name,resource_type\n${manyResources.map(({ resource_id: id }) => `${id},${id},resource_type.a.b`).join('\n')}`,
  yaml: manyLines.map((line) => `- ${line}`).join('\n'),
};

const compressors = {
  identity: (text: string) => Buffer.from(text),
  gzip: (text: string) => zlib.gzipSync(text),
  zstd: (text: string) => zlib.zstdCompressSync(text),
};

const rounds = scale({ toLevelOff: 1, measured: 1 }, { toLevelOff: 3, measured: 4 });

it(`keeps nothing of uploads that clients break off, whatever their format, seed ${seed}`, async () => {
  const random = new SeededRandom(seed);
  // Uploads come faster than they can be read, and none shall be turned away for that here.
  const server = await startServer({ environment: { ROSTER_LIMITS_LAG_MS: '0' } });
  const station = await Station.create(server);
  await station.write(numbered(3_000));
  const before = await station.list();
  const openFiles = server.process.openFiles();
  const files = readdirSync(server.data);
  const breakOffAll = async () => {
    for (const [format, body] of Object.entries(bodies)) {
      for (const [encoding, compress] of Object.entries(compressors)) {
        for (const query of ['', '?mode=replace&allow_removal=all', '?dry_run=true']) {
          const headers = { 'Content-Encoding': encoding };
          const upload = await Upload.begin(server, station, { format: format as Format, query, headers });
          const bytes = compress(body);
          await upload.send(bytes.subarray(0, Math.ceil(bytes.length * random.next())));
          if (random.next() < 0.5) await delay(10);
          upload.breakOff();
        }
      }
    }
    // The server first reads what was sent. A few more may be connections to the database and of this test.
    await expect.poll(() => server.process.openFiles(), { timeout: 60_000 }).toBeLessThan(openFiles + 8);
  };
  // A measured round sends 30 MB, counted after decompression.
  for (let round = 0; round < rounds.toLevelOff; round++) await breakOffAll();
  const residentMb = server.process.residentMb();
  for (let round = 0; round < rounds.measured; round++) await breakOffAll();
  expect(readdirSync(server.data)).toEqual(files);
  expect(server.process.residentMb() - residentMb).toBeLessThan(allowedGrowthMb);
  expect(await station.list()).toEqual(before);
  expect((await station.write(numbered(3_000, 'later'))).status).toBe(200);
  expect(await station.total()).toBe(6_000);
  expect(server.process.stderr).toBe('');
  expect(await server.process.stop()).toEqual({ code: 0, signal: null });
});

longOnly(it)('takes no more of a bomb than it takes of any body', async () => {
  const server = await startServer({ environment: { ROSTER_MAX_BODY_MB: '8' } });
  const station = await Station.create(server);
  await station.write(numbered(3_000));
  const before = await station.list();
  const bombs = [' ', '\n', '[', `${lines[0]}\n`].map((text) => Buffer.alloc(32 * megabyte, text));
  const residentMb = server.process.residentMb();
  for (const bomb of bombs) {
    for (const [encoding, bytes] of [
      ['gzip', zlib.gzipSync(bomb, { level: 1 })],
      ['zstd', zlib.zstdCompressSync(bomb)],
    ] as const) {
      for (const format of ['ndjson', 'json', 'csv', 'yaml'] as const) {
        const headers = { 'Content-Encoding': encoding };
        const response = await station.post(bytes, format, { headers });
        expect([400, 413], await response.text()).toContain(response.status);
      }
    }
  }
  // All of them together are 1 GB.
  expect(server.process.residentMb() - residentMb).toBeLessThan(150);
  expect(await station.list()).toEqual(before);
  expect(server.process.stderr).toBe('');
});

for (const again of scale([true], [false, true])) {
  const then = again ? 'deleted and created again' : 'deleted';
  it(`writes nothing of an upload whose station is ${then} meanwhile`, async () => {
    const server = await startServer();
    const station = await Station.create(server);
    await station.write(numbered(10));
    const { revision } = await station.list();
    const sendings = [
      {},
      { query: '?mode=replace' },
      { query: '?dry_run=true' },
      { headers: { 'If-Match': `"${revision}"` } },
    ];
    const uploads = await Promise.all(sendings.map((each) => Upload.begin(server, station, each)));
    for (const upload of uploads) await upload.send(`${lines.slice(0, 1_500).join('\n')}\n`);
    expect((await station.delete()).status).toBe(204);
    if (again) expect((await station.put()).status).toBe(201);
    for (const upload of uploads) {
      await upload.send(lines.slice(1_500).join('\n'));
      expectProblem(await upload.finish(), 404, 'station_not_found');
    }
    if (!again) await station.put();
    expect(await station.total()).toBe(0);
    expect((await station.write(resources)).status).toBe(200);
    expect(await station.total()).toBe(3_000);
    expect(server.process.stderr).toBe('');
  });
}
