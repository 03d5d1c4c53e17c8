import { once } from 'node:events';
import http, { type RequestListener } from 'node:http';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { listenLocally } from '../testing/listen-locally.ts';
import { endIdleConnections } from './idle-connections.ts';
import { PipelinedRequests } from './pipelined-requests.ts';

const idleMs = 300;
const request = 'GET / HTTP/1.1\r\nHost: roster\r\n\r\n';

async function connect(listener: RequestListener, stallMs = idleMs): Promise<net.Socket> {
  const server = http.createServer({ keepAliveTimeout: 0 }, new PipelinedRequests(listener).handle);
  endIdleConnections(server, { keepAliveMs: idleMs, stallMs });
  const socket = net.connect(await listenLocally(server), '127.0.0.1');
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket;
}

it('lets go of a client that takes nothing of its answer', async () => {
  const closed = Promise.withResolvers<void>();
  const socket = await connect((_request, response) => {
    response.once('close', closed.resolve).end(Buffer.alloc(64 * 1024 * 1024));
  });
  socket.pause().write(request);
  await closed.promise;
});

it('leaves a client alone that waits for its answer, however long that takes', async () => {
  const socket = await connect(async (_request, response) => {
    await delay(5 * idleMs);
    response.end('late');
  });
  socket.write(request);
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toContain('late');
});

it('closes a connection on which nothing is asked any more', async () => {
  const socket = await connect((_request, response) => response.end('at once'));
  socket.write(request);
  await Promise.all([once(socket.resume(), 'end'), once(socket, 'close')]);
});

it('lets a connection rest for as long as it says, counted from the end of an answer', async () => {
  for (const takesMs of [idleMs / 2, idleMs * 1.1, idleMs * 1.9]) {
    let answeredAtMs = Number.POSITIVE_INFINITY;
    const socket = await connect(async (_request, response) => {
      await delay(takesMs);
      response.end('late');
      answeredAtMs = performance.now();
    });
    const closed = once(socket.resume(), 'close');
    socket.write(request);
    await closed;
    expect(performance.now() - answeredAtMs).toBeGreaterThan(idleMs - 10);
  }
});

interface Kept {
  readonly isKept: boolean;
  /** How long the client did nothing at most. */
  readonly pauseMs: number;
}

/** Repeats what a machine has interrupted for so long that the server may take the client for idle. */
async function expectKept(attempt: () => Promise<Kept>, maxPauseMs: number): Promise<void> {
  for (;;) {
    const { isKept, pauseMs } = await attempt();
    if (isKept) return;
    expect(pauseMs, 'the connection was closed although its client was active').toBeGreaterThan(maxPauseMs);
  }
}

async function askNowAndThen(): Promise<Kept> {
  let pauseMs = 0;
  let askedAtMs = performance.now();
  const socket = await connect((_request, response) => response.end('at once'));
  const closed = once(socket, 'close').catch(() => undefined);
  for (let round = 0; round < 5 && !socket.destroyed; round++) {
    await delay(idleMs / 2);
    const asksAtMs = performance.now();
    socket.write(request);
    await Promise.race([once(socket, 'data').catch(() => undefined), closed]);
    pauseMs = Math.max(pauseMs, performance.now() - askedAtMs);
    askedAtMs = asksAtMs;
  }
  return { isKept: socket.readyState === 'open', pauseMs };
}

it('leaves a connection alone on which something is asked now and then', () =>
  expectKept(askNowAndThen, idleMs));

const stallMs = 1_000;
const size = 32 * 1024 * 1024;
const portion = size / 10;

async function readSlowly(): Promise<Kept> {
  const socket = await connect((_request, response) => response.end(Buffer.alloc(size)), stallMs);
  socket.write(request);
  let taken = 0;
  let pauseMs = 0;
  let takenAtMs = performance.now();
  const done = Promise.withResolvers<void>();
  socket.once('close', done.resolve);
  socket.on('data', (part) => {
    const before = taken;
    taken += part.length;
    pauseMs = Math.max(pauseMs, performance.now() - takenAtMs);
    takenAtMs = performance.now();
    if (taken >= size) done.resolve();
    if (Math.floor(taken / portion) === Math.floor(before / portion)) return;
    socket.pause();
    setTimeout(() => socket.resume(), 150);
  });
  await done.promise;
  return { isKept: taken >= size, pauseMs: Math.max(pauseMs, performance.now() - takenAtMs) };
}

it('leaves a client alone that takes its answer slowly', () => expectKept(readSlowly, stallMs / 2));
