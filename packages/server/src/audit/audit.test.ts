import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ask } from '../testing/ask.ts';
import { TestServer } from '../testing/test-server.ts';

async function start(environment: Record<string, string> = {}) {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'roster-audit-'));
  const file = path.join(directory, 'audit.jsonl');
  const server = await TestServer.start({ ROSTER_AUDIT_FILE: file, ...environment });
  onTestFinished(async () => {
    await server[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
  });
  const lines = () => readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return { server, lines };
}

const pathOf = (name: string) =>
  `/roster/v1/subscriptions/s/resourceGroups/g/zones/z/telemetryStations/${name}`;

it('keeps names that a station can have, and cuts what is longer', async () => {
  const { server, lines } = await start({ ROSTER_AUTH: 'on' });
  const longest = 'n'.repeat(256);
  await ask(server.url, { method: 'PUT', path: pathOf(longest) });
  await ask(server.url, { method: 'PUT', path: pathOf('%C3%A9'.repeat(10_000)) });
  await ask(server.url, { method: 'DELETE', path: `/roster/v1/tokens/${'t'.repeat(60_000)}` });
  const [whole, ...cut] = lines();
  expect(JSON.parse(whole!).station).toBe(pathOf(longest).slice('/roster/v1/'.length));
  expect(cut.map((line) => line.length < 4_000 && line.includes(JSON.parse(line).request_id))).toEqual([
    true,
    true,
  ]);
});

it('names the view that was written, and its station', async () => {
  const { server, lines } = await start();
  const station = pathOf('t').slice('/roster/v1/'.length);
  await ask(server.url, { method: 'PUT', path: pathOf('t') });
  await ask(server.url, { method: 'PUT', path: '/roster/v1/views/a%20b', body: { station, query: '' } });
  await ask(server.url, { path: '/roster/v1/views/a%20b/resources' });
  await ask(server.url, { method: 'DELETE', path: '/roster/v1/shared-views/none' });
  expect(
    lines()
      .slice(1)
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    { event: 'write', operation: 'putView', target: 'a b', station, status: 201 },
    { event: 'write', operation: 'deleteSharedView', target: 'none', status: 404, code: 'view_not_found' },
  ]);
});

it('has a line for a write of a page of another origin, which is refused while authentication is off', async () => {
  const { server, lines } = await start();
  const headers = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
  expect((await ask(server.url, { method: 'PUT', path: pathOf('t'), headers })).status).toBe(403);
  expect(lines().map((line) => JSON.parse(line))).toMatchObject([
    { event: 'denial', operation: 'createStation', station: pathOf('t').slice(11), status: 403 },
  ]);
});

it('says of an upload that its client left, and still that one was denied', async () => {
  const { server, lines } = await start({ ROSTER_AUTH: 'on' });
  const open = await start();
  expect((await ask(open.server.url, { method: 'PUT', path: pathOf('t') })).status).toBe(201);
  const target = `${pathOf('t')}/resources`;
  // The one that asks is in progress itself.
  const isHandled = () => expect.poll(() => requestsInProgress(open.server)).toBe(2);
  await leaveHalfway(open.server.url, target, isHandled);
  await leaveHalfway(server.url, target, (socket) => once(socket, 'data'));
  await expect.poll(() => open.lines().length).toBe(2);
  expect(JSON.parse(open.lines()[1]!)).toMatchObject({
    event: 'write',
    operation: 'writeResources',
    status: 400,
    code: 'invalid_body',
  });
  await expect.poll(lines).toHaveLength(1);
  expect(JSON.parse(lines()[0]!)).toMatchObject({ event: 'denial', status: 401 });
});

/** Leaves in the middle of a body, once a condition holds. */
async function leaveHalfway(
  url: string,
  path: string,
  until: (socket: Socket) => Promise<unknown>,
): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const head = `POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/x-ndjson\r\n`;
  socket.write(`${head}Content-Length: 1000\r\n\r\n{"resource_id":`);
  await until(socket);
  socket.destroy();
}

async function requestsInProgress({ metricsUrl }: TestServer): Promise<number> {
  const metrics = await (await fetch(metricsUrl)).text();
  return Number(/^roster_http_requests_in_progress (\d+)$/m.exec(metrics)![1]);
}
