import http from 'node:http';
import net from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { listenLocally } from '../testing/listen-locally.ts';
import { LoadShedder } from './load-shedder.ts';

const maxLagMs = 30;
const maxLateMs = 300;
const read = { method: 'GET' } as http.IncomingMessage;
const write = { method: 'POST' } as http.IncomingMessage;

function createShedder(maxWaiting = 1_000): LoadShedder {
  const logger = pino({ level: 'silent' });
  const shedder = new LoadShedder({ maxLagMs, maxWaiting, maxLateMs, logger });
  onTestFinished(() => shedder.close());
  return shedder;
}

/** Keeps the event loop late until a condition holds. */
async function strain(until: () => boolean): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!until() && performance.now() < deadline) {
    const start = performance.now();
    while (performance.now() - start < 5 * maxLagMs);
    await nextTurn();
  }
}

it('turns requests away while the event loop stays late, and stops by itself', async () => {
  const shedder = createShedder();
  await delay(300);
  expect(shedder.refuses(read)).toBe(false);
  await strain(() => shedder.refuses(read));
  expect(shedder.shedCount).toBeGreaterThan(0);
  await expect
    .poll(() => new Array(100).fill(0).some(() => shedder.refuses(read)), { timeout: 30_000 })
    .toBe(false);
});

/** A server that answers nothing, and what it was asked. */
async function silentServer(
  shedder: LoadShedder,
): Promise<{ port: number; responses: http.ServerResponse[] }> {
  const responses: http.ServerResponse[] = [];
  const server = http.createServer((_request, response) => {
    shedder.wait(response, performance.now());
    response.once('close', () => shedder.leave(response));
    responses.push(response);
  });
  return { port: await listenLocally(server), responses };
}

function ask(port: number, request: string): net.Socket {
  const socket = net.connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined).resume();
  socket.write(request);
  return socket;
}

it('turns requests away while too many wait, and counts what becomes of them', async () => {
  const shedder = createShedder(3);
  const { port, responses } = await silentServer(shedder);
  const sockets = Array.from({ length: 4 }, () => ask(port, 'GET / HTTP/1.1\r\nHost: roster\r\n\r\n'));
  await expect.poll(() => shedder.waiting).toBe(4);
  expect(shedder.refuses(read)).toBe(true);
  expect(shedder.refuses(write)).toBe(false);
  responses[0]!.end('done');
  responses[1]!.end('done');
  await expect.poll(() => shedder.waiting).toBe(2);
  expect(shedder.refuses(read)).toBe(false);
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => shedder.waiting).toBe(0);
});

it('turns writes away while many have waited for long, and reads not', async () => {
  const shedder = createShedder();
  const { port } = await silentServer(shedder);
  for (let count = 0; count < 40; count++) {
    ask(port, 'POST / HTTP/1.1\r\nHost: roster\r\nContent-Length: 2\r\n\r\n{}');
  }
  await expect.poll(() => shedder.refuses(write), { timeout: 30_000 }).toBe(true);
  expect(shedder.refuses(read)).toBe(false);
});

it('does not mind how long clients take to send', async () => {
  const shedder = createShedder();
  const { port } = await silentServer(shedder);
  for (let count = 0; count < 40; count++) {
    ask(port, 'POST / HTTP/1.1\r\nHost: roster\r\nContent-Length: 2\r\n\r\n');
  }
  await expect.poll(() => shedder.waiting).toBe(40);
  await delay(3_000);
  expect(new Array(10).fill(write).some((request) => shedder.refuses(request))).toBe(false);
});
