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

async function connect(listener: RequestListener): Promise<net.Socket> {
  const server = http.createServer({ keepAliveTimeout: 0 }, new PipelinedRequests(listener).handle);
  endIdleConnections(server, { keepAliveMs: idleMs, stallMs: idleMs });
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

it('leaves a connection alone on which something is asked now and then', async () => {
  const socket = await connect((_request, response) => response.end('at once'));
  for (let round = 0; round < 5; round++) {
    await delay(idleMs / 2);
    socket.write(request);
    await once(socket, 'data');
  }
  expect(socket.readyState).toBe('open');
});

it('leaves a client alone that takes its answer slowly', async () => {
  const size = 32 * 1024 * 1024;
  const portion = size / 10;
  const socket = await connect((_request, response) => response.end(Buffer.alloc(size)));
  socket.write(request);
  let taken = 0;
  const done = Promise.withResolvers<void>();
  socket.once('close', done.resolve);
  socket.on('data', (part) => {
    const before = taken;
    taken += part.length;
    if (taken >= size) done.resolve();
    if (Math.floor(taken / portion) === Math.floor(before / portion)) return;
    socket.pause();
    setTimeout(() => socket.resume(), idleMs / 2);
  });
  await done.promise;
  expect(taken).toBeGreaterThan(size);
});
