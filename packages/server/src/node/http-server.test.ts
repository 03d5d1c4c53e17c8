import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { record, TestServer } from '../testing/test-server.ts';

const listPath = '/monitor/ts/data/v1/subscriptions/s/resourceGroups/g/zones/z/telemetryStations/t/resources';
const idCount = 400;

async function start(): Promise<TestServer> {
  const server = await TestServer.start();
  onTestFinished(() => server[Symbol.asyncDispose]());
  await server.createStation();
  const note = 'n'.repeat(200);
  await server.write(
    ...Array.from({ length: idCount }, (_, at) => record(`id-${at}`, { display_name: note + at })),
  );
  return server;
}

/** A client that hears of an end, and may go on. */
function connect({ url }: TestServer): net.Socket {
  const socket = net.connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket;
}

function get(query: string, headers = ''): string {
  return `GET ${listPath}?${query} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;
}

function bodiesOf(answers: string): string[] {
  return answers
    .split(/HTTP\/1\.1 \d+ [^\r]*\r\n/)
    .slice(1)
    .map((answer) => answer.slice(answer.indexOf('\r\n\r\n') + 4));
}

it('gives each of many that ask at the same moment its own answer', async () => {
  const server = await start();
  const queries = Array.from(
    { length: 150 },
    (_, at) => `page.offset=${at}&page.size=${1 + ((at * 7) % 350)}`,
  );
  const sockets = queries.map(() => connect(server));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const [at, socket] of sockets.entries()) socket.write(get(queries[at]!, 'Connection: close\r\n'));
  const answers = await Promise.all(sockets.map((socket) => text(socket)));
  for (const [at, answer] of answers.entries()) {
    expect(bodiesOf(answer)).toEqual([await (await server.list(queries[at]!)).text()]);
  }
});

it('answers requests that come in one piece in their order, and what is no request behind them', async () => {
  const server = await start();
  const socket = connect(server);
  const queries = ['page.size=2', 'page.size=1', 'page.size=x', 'page.offset=9&page.size=5'];
  socket.write(`${queries.map((query) => get(query)).join('')}nonsense\r\n\r\n`);
  const bodies = bodiesOf(await text(socket));
  expect(bodies).toHaveLength(queries.length + 1);
  expect(bodies.map((body) => JSON.parse(body).resources?.length ?? JSON.parse(body).status)).toEqual([
    2, 1, 400, 5, 400,
  ]);
});

it('answers all requests that come in one piece when nothing comes after them', async () => {
  const server = await start();
  await server.list('page.size=1');
  const socket = connect(server);
  const sizes = Array.from({ length: 30 }, (_, at) => at + 1);
  socket.end(sizes.map((size) => get(`page.size=${size}`)).join(''));
  const bodies = bodiesOf(await text(socket));
  expect(bodies.map((body) => JSON.parse(body).resources.length)).toEqual(sizes);
});

it('ends a connection whose list is about to be answered when the server is told to stop', async () => {
  const server = await TestServer.start();
  await server.createStation();
  await server.list('page.size=1');
  const stopped = Promise.withResolvers<void>();
  const stop = () => {
    unsubscribe('http.server.request.start', stop);
    // Would wait for as long as the connection stays.
    server.stop(120_000).then(stopped.resolve, stopped.reject);
  };
  subscribe('http.server.request.start', stop);
  const socket = connect(server);
  socket.write(get('page.size=1'));
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\nConnection: close\r\n/);
  await stopped.promise;
});

it('forgets those who leave as soon as they have asked', async () => {
  const server = await start();
  const sockets = Array.from({ length: 60 }, () => connect(server));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.write(get('page.size=20'), () => socket.resetAndDestroy());
  const open = async () => {
    const metrics = await (await fetch(server.metricsUrl)).text();
    return /^roster_http_requests_in_progress (\d+)$/m.exec(metrics)?.[1];
  };
  // The one that asks is open itself.
  await expect.poll(open).toBe('1');
});
