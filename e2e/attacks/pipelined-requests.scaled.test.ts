import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { scale } from '../../testing/scale.ts';
import { type RunningServer, startServer } from '../testing/start-server.ts';
import { listPath, numbered, Station } from '../testing/station.ts';

const rounds = Number(process.env.ROSTER_ATTACK_ROUNDS ?? 1);
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

async function connectFrom(url: URL, localAddress: string): Promise<net.Socket> {
  const socket = net.connect({ host: url.hostname, port: Number(url.port), localAddress });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  socket.pause();
  await once(socket, 'connect');
  return socket;
}

/** Has the server take the memory that it needs for its usual work. */
async function warmUp(server: RunningServer, path: string): Promise<void> {
  const connection = await server.connect();
  for (let round = 0; round < 100; round++) {
    connection.send(get(path).repeat(100));
    for (let count = 0; count < 100; count++) expect((await connection.answer()).status).toBe(200);
  }
}

it.each<[string, string | undefined]>([
  ['small lists', undefined],
  ...scale<[string, string][]>([], [['tiny requests', 'GET / HTTP/1.1\r\n\r\n']]),
])('holds little of 64 KiB of %s behind answers that nobody reads', async (_name, tiny) => {
  const server = await startServer({ environment: { NODE_OPTIONS: '--max-old-space-size=512' } });
  const station = await Station.create(server);
  await station.write(numbered(1_000));
  const packet = Buffer.alloc(64 * 1024, tiny ?? get(listPath(station.path, '?page.size=0')));
  await warmUp(server, listPath(station.path, '?page.size=100'));
  const before = server.process.residentMb();
  let most = before;
  const watching = setInterval(() => (most = Math.max(most, server.process.residentMb())), 20);
  onTestFinished(() => clearInterval(watching));
  for (let round = 0; round < rounds; round++) {
    const sockets = await Promise.all(
      Array.from({ length: 100 }, () => connectFrom(new URL(server.url), '127.0.0.2')),
    );
    for (const socket of sockets) socket.write(get(listPath(station.path, '?page.size=1000')).repeat(30));
    await delay(500);
    for (const socket of sockets) socket.write(packet);
    await delay(1_000);
    expect(server.process.hasExited).toBe(false);
    expect(await station.total()).toBe(1_000);
  }
  clearInterval(watching);
  expect(most - before).toBeLessThan(150);
});
