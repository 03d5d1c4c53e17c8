import { once } from 'node:events';
import http, { type IncomingMessage, type RequestListener } from 'node:http';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { listenLocally } from '../testing/listen-locally.ts';
import { SlowBodies } from './slow-bodies.ts';

const pace = { windowMs: 300, minBytes: 100, checkMs: 15 };
const refusedRest = { maxMs: 2_000, maxBytes: 10_000_000 };

interface Watching {
  readonly port: number;
  readonly paces: SlowBodies;
  readonly tooSlow: IncomingMessage[];
}

async function watching(listener: RequestListener): Promise<Watching> {
  const tooSlow: IncomingMessage[] = [];
  const paces = new SlowBodies({ body: pace, refusedRest }, (request) => {
    tooSlow.push(request);
    request.socket.destroy();
  });
  const server = http.createServer({ requestTimeout: 0 }, (request, response) => {
    paces.watch(request, response);
    listener(request, response);
  });
  return { port: await listenLocally(server), paces, tooSlow };
}

async function post(port: number, length: number): Promise<net.Socket> {
  const socket = net.connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  socket.write(`POST / HTTP/1.1\r\nHost: roster\r\nContent-Length: ${length}\r\n\r\n`);
  await once(socket, 'connect');
  return socket;
}

/** Whatever error comes before: a byte that was on its way is answered with a reset. */
function closed(socket: net.Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

const readAll: RequestListener = (request, response) => {
  request.resume().once('end', () => response.end('read'));
};

it('finds a body that trickles, and one that stops', async () => {
  const { port, tooSlow } = await watching(readAll);
  const trickling = await post(port, 1_000);
  const stopped = await post(port, 1_000);
  stopped.write('x'.repeat(10));
  const trickle = setInterval(() => trickling.write('x'), 30);
  await Promise.all([closed(trickling), closed(stopped)]);
  clearInterval(trickle);
  expect(tooSlow).toHaveLength(2);
});

it('holds no more than one request of a connection', async () => {
  const { port, paces } = await watching(readAll);
  const socket = await post(port, 1);
  for (let requests = 0; requests < 50; requests++) {
    socket.write(`xPOST / HTTP/1.1\r\nHost: roster\r\nContent-Length: 1\r\n\r\n`);
    await once(socket, 'data');
    expect(paces.size).toBeLessThanOrEqual(1);
  }
});

it('lets a body take many times the window while it makes progress', async () => {
  const { port, tooSlow } = await watching(readAll);
  const socket = await post(port, 8_000);
  for (let part = 0; part < 40; part++) {
    socket.write('x'.repeat(200));
    await delay(25);
  }
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toContain('200 OK');
  expect(tooSlow).toHaveLength(0);
});

it('does not blame a client for a server that does not read', async () => {
  const { port, tooSlow } = await watching(async (request, response) => {
    await delay(3 * pace.windowMs);
    readAll(request, response);
  });
  const socket = await post(port, 1_000_000);
  socket.write('x'.repeat(1_000_000));
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toContain('200 OK');
  expect(tooSlow).toHaveLength(0);
});

it('forgets a request once it is complete, however long its answer takes', async () => {
  const { port, tooSlow } = await watching(async (request, response) => {
    request.resume();
    await delay(3 * pace.windowMs);
    response.end('late');
  });
  const socket = await post(port, 5);
  socket.write('12345');
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toContain('late');
  expect(tooSlow).toHaveLength(0);
});

const refuse: RequestListener = (_request, response) => {
  response.writeHead(413).end('refused');
};

it('reads the rest of a refused body, and then the next request', async () => {
  const { port, tooSlow } = await watching(refuse);
  const socket = await post(port, 1_000_000);
  await once(socket, 'data');
  for (let part = 0; part < 10; part++) {
    socket.write('x'.repeat(100_000));
    await delay(30);
  }
  socket.write('GET / HTTP/1.1\r\nHost: roster\r\n\r\n');
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toContain('413');
  expect(tooSlow).toHaveLength(0);
});

it('closes the connection of a refused body that has too large a rest, or one that takes too long', async () => {
  const { port, tooSlow } = await watching(refuse);
  const large = await post(port, 1_000_000_000);
  const long = await post(port, 1_000_000_000);
  await Promise.all([once(large, 'data'), once(long, 'data')]);
  const trickle = setInterval(() => long.write('x'.repeat(200)), 50);
  const flood = setInterval(() => large.write(Buffer.alloc(2_000_000)), 20);
  const order: string[] = [];
  await Promise.all([
    closed(large).then(() => order.push('large')),
    closed(long).then(() => order.push('long')),
  ]);
  clearInterval(flood);
  clearInterval(trickle);
  expect(order).toEqual(['large', 'long']);
  expect(tooSlow).toHaveLength(0);
});
