import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { AnswerReader } from '../testing/answer-reader.ts';
import { tlsEnvironment, withOpenssl } from '../testing/certificate.ts';
import { expectProblem } from '../testing/check-answer.ts';
import { RawConnection } from '../testing/raw-connection.ts';
import { shareServer, spawnServer, startServer } from '../testing/start-server.ts';
import { numbered, Station, writePath } from '../testing/station.ts';
import { SegmentedConnection } from './testing/segmented-connection.ts';

const shared = shareServer();
const get = (headers: string) => `GET /healthz HTTP/1.1\r\n${headers}\r\n`;
const fillers = (count: number) => Array.from({ length: count }, (_, at) => `x${at}: y\r\n`).join('');

const pairs = {
  'side by side': 'Host: localhost\r\nHost: roster\r\n',
  'that are the same': 'Host: localhost\r\nHost: localhost\r\n',
  'of which one is empty': 'Host: localhost\r\nHost:\r\n',
  'far apart': `Host: localhost\r\n${fillers(1_500)}Host: roster\r\n`,
  'far behind': `${fillers(1_500)}Host: localhost\r\nHost: roster\r\n`,
};

it(`refuses two Host headers: ${Object.keys(pairs).join(', ')}`, async () => {
  const server = shared();
  for (const headers of Object.values(pairs)) {
    const connection = await server.connect();
    connection.send(get(headers));
    expectProblem(await connection.answer(), 400, 'malformed_request');
  }
});

it('refuses two Host headers on the port of the metrics too', async () => {
  const { process } = await startServer({ environment: { ROSTER_METRICS_PORT: '0' } });
  const port = Number(/:(\d+)\/metrics/.exec(process.stdout)![1]);
  const connection = await RawConnection.open('127.0.0.1', port);
  onTestFinished(() => connection.destroy());
  connection.send('GET /metrics HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n');
  expectProblem(await connection.answer(), 400, 'malformed_request');
});

it('sees headers behind a thousand others', async () => {
  const server = shared();
  const connection = await server.connect();
  connection.send(get(`${fillers(1_500)}Host: evil.example\r\n`));
  expectProblem(await connection.answer(), 421, 'misdirected_request');
});

it('takes the host from a URL in the absolute form rather than from Host', async () => {
  const server = shared();
  const statusOf = async (host: string, header: string) => {
    const connection = await server.connect();
    connection.send(`GET http://${host}/healthz HTTP/1.1\r\nHost: ${header}\r\n\r\n`);
    return (await connection.answer()).status;
  };
  expect(await statusOf('localhost', 'evil.example')).toBe(200);
  expect(await statusOf('evil.example', 'localhost')).toBe(421);
});

const upgrade = get('Host: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n');

it('answers a request for an upgrade as if it asked for none, and says that it was the last', async () => {
  const server = shared();
  const connection = await server.connect();
  connection.send(upgrade + get('Host: localhost\r\n'));
  const answer = await connection.answer();
  expect(answer.status).toBe(200);
  expect(answer.headers.get('connection')).toBe('close');
  await connection.end();
});

it('executes nothing that was cut out of what follows a request for an upgrade', async () => {
  const server = shared();
  const station = await Station.create(server);
  await station.write(numbered(3));
  const connection = await server.connect();
  const remove = `DELETE ${writePath(station.path)}/vm-00000 HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  connection.send(
    `${upgrade}POST /nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${remove.length}\r\n\r\n`,
  );
  await delay(100);
  connection.send(remove);
  expect((await connection.answer()).status).toBe(200);
  await connection.end();
  expect(await station.total()).toBe(3);
});

it('takes the body of a request for an upgrade', async () => {
  const server = shared();
  const station = await Station.create(server, 'empty');
  const connection = await server.connect();
  const record = JSON.stringify({ resource_id: 'a', name: 'a', resource_type: 'resource_type.a.b' });
  connection.send(
    `POST ${writePath(station.path)} HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: h2c\r\n` +
      `Content-Type: application/x-ndjson\r\nContent-Length: ${record.length}\r\n\r\n`,
  );
  await delay(100);
  connection.send(record + get('Host: localhost\r\n'));
  expect((await connection.answer('POST')).status).toBe(200);
  await connection.end();
  expect(await station.total()).toBe(1);
});

it('survives a CONNECT whose client is gone', async () => {
  const server = shared();
  for (let round = 0; round < 20; round++) {
    const connection = await server.connect();
    connection.send('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n');
    await delay(5);
    connection.reset();
  }
  expect((await server.fetch('/healthz')).status).toBe(200);
});

withOpenssl('executes nothing behind the last answer of a connection, over TLS (needs openssl)', async () => {
  const { process } = spawnServer({ environment: tlsEnvironment() });
  const address = await process.address();
  const type = '/roster/v1/resource-types/resource_type.a.b';
  const body = '{"labels":{"en":"Hidden"}}';
  const put = `PUT ${type} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  for (const last of [get('Host: localhost\r\nHost: localhost\r\n'), upgrade]) {
    const connection = await SegmentedConnection.open(address);
    onTestFinished(() => connection.destroy());
    await connection.record(last + put);
    await connection.flush();
    await once(connection.socket.resume(), 'close');
  }
  const connection = await SegmentedConnection.open(address);
  onTestFinished(() => connection.destroy());
  const reader = new AnswerReader();
  connection.socket.on('data', (chunk: Buffer) => reader.push(chunk));
  await connection.record(`GET ${type} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await connection.flush();
  await expect.poll(() => reader.take('GET')?.status).toBe(404);
});
