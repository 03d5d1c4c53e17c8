import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { type RunningServer, startServer } from '../testing/start-server.ts';
import { listPath, numbered, Station } from '../testing/station.ts';

const attackerAddress = '127.0.0.2';
/** All that one address may have: half of `limits.connections`. */
const connectionCount = 5_000;
const environment = {
  ROSTER_LIMITS_CONNECTIONS: String(2 * connectionCount),
  // A machine that is busy with other tests is late by itself, and nobody is to be turned away for that.
  ROSTER_LIMITS_LAG_MS: '10000',
};
const attackMs = Number(process.env.ROSTER_ATTACK_SECONDS ?? 10) * 1000;
const assets = new URL('../../packages/console/dist/assets/', import.meta.url);

/** Opens connections from another address, sends the same on each and reads nothing. */
async function occupy(url: URL, count: number, bytes: string): Promise<net.Socket[]> {
  const sockets: net.Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  while (sockets.length < count) {
    const batch = Array.from({ length: Math.min(500, count - sockets.length) }, () => {
      const socket = net.connect({
        host: url.hostname,
        port: Number(url.port),
        localAddress: attackerAddress,
      });
      socket.on('error', () => undefined);
      socket.pause();
      return socket;
    });
    await Promise.all(batch.map((socket) => once(socket, 'connect')));
    for (const socket of batch) socket.write(bytes);
    sockets.push(...batch);
  }
  return sockets;
}

function largestAsset(): string {
  const script = readdirSync(assets).find((name) => /^index-.*\.js$/.test(name));
  return `/assets/${script}`;
}

/** Until the server has done what it can for the connections that it has. */
async function untilQuiet({ process }: RunningServer): Promise<void> {
  const deadline = performance.now() + 90_000;
  for (let busyMs = -1_000; process.busyMs() - busyMs > 250; ) {
    if (performance.now() > deadline) throw new Error('the server is still busy after 90 s');
    busyMs = process.busyMs();
    await delay(1_000);
  }
}

const unread = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const unfinished =
  'POST /roster/v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{';

it(`serves other addresses while ${connectionCount} connections of one read nothing or never finish a body`, async () => {
  const server = await startServer({ environment });
  const station = await Station.create(server);
  await station.write(numbered(100));
  const address = new URL(server.url);
  await occupy(address, connectionCount / 2, unread(largestAsset()).repeat(16));
  await occupy(address, connectionCount / 2, unfinished);
  await untilQuiet(server);
  const statuses = { list: new Set<number>(), write: new Set<number>() };
  const deadline = performance.now() + attackMs;
  for (let round = 0; performance.now() < deadline; round++) {
    statuses.list.add((await server.fetch(listPath(station.path, '?page.size=20'))).status);
    statuses.write.add((await station.write(numbered(1, `during-${round % 10}`))).status);
    await delay(10);
  }
  expect(statuses).toEqual({ list: new Set([200]), write: new Set([200]) });
  expect((await server.fetch('/readyz')).status).toBe(200);
});
