import { once } from 'node:events';
import http, { type ServerResponse } from 'node:http';
import net from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { listenLocally } from '../testing/listen-locally.ts';
import { hasPrivateFields, RawResponseWriter } from './raw-response-writer.ts';

const largeBytes = 32 * 1024 * 1024;

interface TestServer {
  readonly port: number;
  readonly responses: ServerResponse[];
  isDraining: boolean;
}

/** Answers `/<letter>` with that letter, `/<letter>/large` with very many of them, `/none` with 304. */
async function serve(usePrivateFields = true): Promise<TestServer> {
  const writer = new RawResponseWriter({
    keepAliveMs: 5_000,
    isDraining: () => test.isDraining,
    usePrivateFields,
  });
  const responses: ServerResponse[] = [];
  const server = http.createServer(({ url }, response) => {
    responses.push(response);
    if (url === '/none') return writer.sendHead(response, { status: 304, lines: 'ETag: "x"\r\n' });
    const size = url!.endsWith('/large') ? largeBytes : 1;
    writer.take(size).fill(url![1]!);
    writer.sendTaken(response, { status: 200, lines: `Content-Length: ${size}\r\n` });
  });
  const test = { port: await listenLocally(server), responses, isDraining: false };
  return test;
}

function connect({ port }: TestServer): net.Socket {
  const socket = net.connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  return socket;
}

function requestFor(path: string, headers = ''): string {
  return `GET ${path} HTTP/1.1\r\nHost: roster\r\n${headers}\r\n`;
}

it('finds the private fields of this Node.js', () => {
  expect(hasPrivateFields()).toBe(true);
});

it.each([true, false])(
  'sends status, headers, date, connection and body (private fields: %s)',
  async (usePrivateFields) => {
    const server = await serve(usePrivateFields);
    const response = await fetch(`http://127.0.0.1:${server.port}/a`);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('a');
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-length': '1',
      date: expect.any(String),
      connection: 'keep-alive',
      'keep-alive': 'timeout=5',
    });
    expect(Math.abs(Date.now() - Date.parse(response.headers.get('date')!))).toBeLessThan(5_000);
    expect(server.responses[0]).toMatchObject({ statusCode: 200, headersSent: true, writableEnded: true });
  },
);

it.each([true, false])(
  'answers the requests of a connection in their order (private fields: %s)',
  async (usePrivateFields) => {
    const socket = connect(await serve(usePrivateFields));
    socket.write(requestFor('/a'));
    const [first] = await once(socket, 'data');
    expect(String(first)).toMatch(/\r\n\r\na$/);
    socket.write(requestFor('/b') + requestFor('/none') + requestFor('/c', 'Connection: close\r\n'));
    const rest = await text(socket);
    expect(rest.split('HTTP').map((answer) => /^\/1.1 (\d+).*\r\n\r\n(.*)$/s.exec(answer)?.slice(1))).toEqual(
      [undefined, ['200', 'b'], ['304', ''], ['200', 'c']],
    );
  },
);

it.each([
  ['Connection: close', requestFor('/a', 'Connection: close\r\n')],
  ['HTTP/1.0', 'GET /a HTTP/1.0\r\n\r\n'],
])('ends the connection after %s', async (_, request) => {
  const socket = connect(await serve());
  socket.write(request);
  const answer = await text(socket);
  expect(answer).toContain('\r\nConnection: close\r\n');
  expect(answer).toMatch(/\r\n\r\na$/);
});

it.each(['/a', '/none'])(
  'ends connections with their answer while the server stops, for %s',
  async (path) => {
    const server = await serve();
    const socket = connect(server);
    socket.write(requestFor(path));
    const [first] = await once(socket, 'data');
    expect(String(first)).toContain('\r\nConnection: keep-alive\r\n');
    server.isDraining = true;
    socket.write(requestFor(path));
    expect(await text(socket)).toContain('\r\nConnection: close\r\n');
  },
);

it('leaves its memory to a client that is slow to take it', async () => {
  const server = await serve();
  const slow = connect(server).pause();
  slow.write(requestFor('/s/large', 'Connection: close\r\n'));
  while (server.responses.length === 0) await delay(5);
  for (const letter of 'abcdef') {
    const response = await fetch(`http://127.0.0.1:${server.port}/${letter}/large`);
    expect(Buffer.alloc(largeBytes, letter).equals(await buffer(response.body!))).toBe(true);
  }
  expect(server.responses[0]).toMatchObject({ writableEnded: true, writableFinished: false });
  const answer = await buffer(slow);
  const body = answer.subarray(answer.indexOf('\r\n\r\n') + 4);
  expect(Buffer.alloc(largeBytes, 's').equals(body)).toBe(true);
});

it('closes the response of a client that has gone', async () => {
  const server = await serve();
  const socket = connect(server).pause();
  socket.write(requestFor('/a/large'));
  while (server.responses.length === 0) await delay(5);
  const [response] = server.responses;
  const closed = once(response!, 'close');
  socket.destroy();
  await closed;
  expect(response!.writableFinished).toBe(false);
});
