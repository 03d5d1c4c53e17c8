import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import zlib from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { listFault } from '../testing/check-answer.ts';
import { type RunningServer, startServer } from '../testing/start-server.ts';
import { listPath, numbered, Station, toNdjson, writePath } from '../testing/station.ts';
import type { List } from '../testing/station-answers.ts';
import { Upload } from '../testing/upload.ts';

const resourceCount = 50_000;
const slowReaders = 20;
/** What the server may compute until it has answered a read. Unlike time, it depends on nothing else on the machine. */
const maxBusyMs = 100;

function medianOf(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[figures.length >> 1]!;
}

/** A long answer of which nothing is read until someone does. */
async function open(server: RunningServer, path: string): Promise<IncomingMessage> {
  const request = http.get(`${server.url}${path}`, { agent: false });
  onTestFinished(() => void request.destroy());
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

it('holds no list for clients that read slowly, and answers others meanwhile', async () => {
  const server = await startServer();
  const station = await Station.create(server);
  const padding = 'x'.repeat(300);
  const resources = numbered(resourceCount, 'vm', { sku: padding });
  for (let start = 0; start < resourceCount; start += 10_000) {
    expect((await station.write(resources.slice(start, start + 10_000))).status).toBe(200);
  }
  const whole = await station.list();
  expect(whole.resources).toHaveLength(resourceCount);
  const before = server.process.residentMb();

  const readers = await Promise.all(
    Array.from({ length: slowReaders }, () => open(server, listPath(station.path))),
  );
  const busy: number[] = [];
  let most = before;
  const deadline = performance.now() + 3_000;
  while (performance.now() < deadline) {
    const busyBefore = server.process.busyMs();
    expect((await station.list('?page.size=20')).page?.total).toBe(resourceCount);
    busy.push(server.process.busyMs() - busyBefore);
    most = Math.max(most, server.process.residentMb());
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  // One list is over 15 MB; held for every reader it would be 300 MB.
  expect(most - before).toBeLessThan(150);
  expect(medianOf(busy)).toBeLessThan(maxBusyMs);

  const [first, ...others] = readers;
  for (const other of others) other.destroy();
  const list = (await json(first!)) as List;
  expect(listFault(list)).toBeUndefined();
  expect(list.resources).toEqual(whole.resources);
  expect(server.process.stderr).toBe('');
});

it('gives a slow reader the snapshot it began with, whatever is written meanwhile', async () => {
  const server = await startServer();
  const station = await Station.create(server);
  await station.write(numbered(20_000, 'vm', { sku: `before ${'x'.repeat(300)}` }));
  const reader = await open(server, listPath(station.path));
  await new Promise((resolve) => setTimeout(resolve, 200));
  await station.write(numbered(20_000, 'vm', { sku: 'after' }));
  await station.write(numbered(10, 'another'));
  const list = (await json(reader)) as List;
  expect(list.resources).toHaveLength(20_000);
  expect(new Set(list.resources.map(({ sku }) => sku.split(' ')[0]))).toEqual(new Set(['before']));
});

it('holds no export for clients that read slowly or break off, and gives them one snapshot', async () => {
  const server = await startServer();
  const station = await Station.create(server);
  await station.write(numbered(30_000, 'vm', { sku: `before ${'x'.repeat(500)}` }));
  const expected = await station.records();
  const path = (format: string) => `/roster/v1${station.path}/export?format=${format}`;
  const before = server.process.residentMb();
  for (let round = 0; round < 5; round++) {
    const broken = await Promise.all(['ndjson', 'csv', 'json'].map((format) => open(server, path(format))));
    for (const each of broken) each.destroy();
  }
  const readers = await Promise.all(Array.from({ length: slowReaders }, () => open(server, path('json'))));
  await station.write(numbered(30_000, 'vm', { sku: 'after' }));
  await delay(1_000);
  // One export is over 20 MB; held for every reader it would be 400 MB.
  expect(server.process.residentMb() - before).toBeLessThan(200);
  for (const reader of readers.slice(0, 2)) expect(await json(reader)).toEqual(expected);
  for (const reader of readers) reader.destroy();
  expect((await station.records())[0]).toMatchObject({ sku: 'after' });
  expect(server.process.stderr).toBe('');
});

it('lets other writes through while one client uploads slowly', async () => {
  const server = await startServer();
  const station = await Station.create(server);
  const body = toNdjson(numbered(100, 'slow'));
  const upload = await server.connect();
  upload.send(
    `POST ${writePath(station.path)} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n` +
      `Content-Length: ${body.length}\r\n\r\n`,
  );
  const step = Math.ceil(body.length / 20);
  for (let at = 0; at < body.length; at += step) {
    expect((await station.write(numbered(1, `quick-${at}`))).status).toBe(200);
    expect(await station.total('&resource_display_name_prefix=slow')).toBe(0);
    upload.send(body.slice(at, at + step));
  }
  expect((await upload.answer('POST')).status).toBe(200);
  expect(await station.total('&resource_display_name_prefix=slow')).toBe(100);
  expect(await station.total()).toBe(120);
});

it('answers reads at once while many clients upload slowly', async () => {
  const server = await startServer();
  const station = await Station.create(server);
  await station.write(numbered(5_000));
  const busy: number[] = [];
  const trickle = async (_: unknown, client: number) => {
    const body = toNdjson(numbered(2_000, `slow-${String(client).padStart(2, '0')}`));
    const encoding = client % 2 === 0 ? 'gzip' : 'identity';
    const bytes = encoding === 'gzip' ? zlib.gzipSync(body) : Buffer.from(body);
    const upload = await Upload.begin(server, station, { headers: { 'Content-Encoding': encoding } });
    const step = Math.ceil(bytes.length / 50);
    for (let at = 0; at < bytes.length; at += step) {
      // The last part waits until enough was read beside it.
      while (at + step >= bytes.length && busy.length <= 20) await delay(30);
      await upload.send(bytes.subarray(at, at + step));
      await delay(30);
    }
    return upload;
  };
  const uploads = Promise.all(Array.from({ length: 30 }, trickle));
  let isSending = true;
  uploads.finally(() => {
    isSending = false;
  });
  while (isSending) {
    const busyBefore = server.process.busyMs();
    expect((await station.list('?page.size=20')).page?.total).toBe(5_000);
    expect((await station.summary()).total).toBe(5_000);
    busy.push(server.process.busyMs() - busyBefore);
    await delay(10);
  }
  expect(medianOf(busy)).toBeLessThan(maxBusyMs);
  for (const upload of await uploads) expect((await upload.finish()).status).toBe(200);
  expect(await station.total()).toBe(65_000);
  expect(server.process.stderr).toBe('');
});
