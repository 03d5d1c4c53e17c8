import { once } from 'node:events';
import http, { type RequestListener } from 'node:http';
import net from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { listenLocally } from '../testing/listen-locally.ts';
import { PipelinedRequests } from './pipelined-requests.ts';

async function connect(serve: RequestListener): Promise<net.Socket> {
  return connectTo(await listen(serve));
}

function listen(serve: RequestListener): Promise<number> {
  return listenLocally(http.createServer(new PipelinedRequests(serve).handle));
}

function connectTo(port: number): net.Socket {
  const socket = net.connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket;
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: roster\r\n\r\n`;

it('handles thousands of requests of a connection in order, one at a time', async () => {
  const count = 3_000;
  let atWork = 0;
  let mostAtWork = 0;
  const socket = await connect((request, response) => {
    mostAtWork = Math.max(mostAtWork, ++atWork);
    setImmediate(() => {
      atWork--;
      response.end(`<${request.url}>`);
    });
  });
  const paths = Array.from({ length: count }, (_, index) => `/${index}`);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.write(paths.map(get).join(''));
  await expect.poll(() => text.includes(`</${count - 1}>`), { timeout: 60_000 }).toBe(true);
  expect([...text.matchAll(/<(.*?)>/g)].map(([, path]) => path)).toEqual(paths);
  expect(mostAtWork).toBe(1);
});

it('makes no answer before the one before it was taken, and reads no further', async () => {
  let served = 0;
  const socket = await connect((_request, response) => {
    served++;
    response.end(Buffer.alloc(16 * 1024 * 1024));
  });
  socket.pause();
  const requests = Buffer.from(get('/').repeat(500_000));
  socket.write(requests);
  await expect.poll(() => served).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(served).toBe(1);
  expect(socket.writableLength).toBeGreaterThan(0);
});

it('forgets what was asked on a connection that has gone', async () => {
  const served: (string | undefined)[] = [];
  const first = Promise.withResolvers<http.ServerResponse>();
  const socket = await connect((request, response) => {
    served.push(request.url);
    first.resolve(response);
  });
  socket.write(['/1', '/2', '/3'].map(get).join(''));
  const response = await first.promise;
  socket.destroy();
  await once(response, 'close');
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(served).toEqual(['/1']);
});

it('takes the bodies of requests that wait', async () => {
  const socket = await connect(async (request, response) => {
    let length = 0;
    for await (const chunk of request) length += (chunk as Buffer).length;
    response.end(`<${length}>`);
  });
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  const length = 200_000;
  const post = `POST / HTTP/1.1\r\nHost: roster\r\nContent-Length: ${length}\r\n\r\n${'x'.repeat(length)}`;
  socket.write(post.repeat(20));
  await expect.poll(() => text.split(`<${length}>`).length - 1, { timeout: 60_000 }).toBe(20);
});

it('closes connections that queue too many requests together, and goes on with others', async () => {
  const first = Promise.withResolvers<http.ServerResponse>();
  const port = await listen((request, response) => {
    if (request.url === '/held') first.resolve(response);
    else if (request.url !== '/stuck') response.end('<done>');
  });
  const held = connectTo(port);
  held.write(get('/held') + get('/queued'));
  const response = await first.promise;
  const sockets = Array.from({ length: 10 }, () => connectTo(port));
  // Each is 27 bytes, so that 2 300 of them come in one packet.
  const closed = sockets.map((socket) => once(socket, 'close'));
  for (const socket of sockets) {
    socket.write(get('/stuck'));
    socket.write('GET / HTTP/1.1\r\nHost: r\r\n\r\n'.repeat(2_300));
  }
  await Promise.race(closed);
  const answers: string[] = [];
  held.on('data', (chunk) => answers.push(String(chunk)));
  response.end('<held>');
  await expect.poll(() => answers.join('')).toMatch(/<held>.*<done>/s);
});

it('takes nothing from a connection behind its last request', async () => {
  const served: (string | undefined)[] = [];
  const pipelines = new PipelinedRequests((request, response) => {
    served.push(request.url);
    response.end();
  });
  const server = http.createServer((request, response) => {
    if (request.url === '/2') pipelines.makeLast(request);
    pipelines.handle(request, response);
  });
  const socket = connectTo(await listenLocally(server)).resume();
  socket.write(['/1', '/2', '/3'].map(get).join(''));
  await once(socket, 'close');
  expect(served).toEqual(['/1', '/2']);
});
