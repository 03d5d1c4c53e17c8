import { expect, it } from 'vitest';
import { expectProblem, problemFault, toAnswer } from '../testing/check-answer.ts';
import { shareServer, startServer } from '../testing/start-server.ts';
import { listPath, numbered, Station, samplePath, toNdjson, writePath } from '../testing/station.ts';

const server = shareServer({ ROSTER_SAMPLE: 'true' });
const kilobyte = 1024;
const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;

for (const kilobytes of [70, 200, 2048]) {
  it(`answers 414 to a URL of ${kilobytes} KB`, async () => {
    const connection = await server().connect();
    connection.send(get(listPath(samplePath, `?product=${'x'.repeat(kilobytes * kilobyte)}`)));
    expectProblem(await connection.answer(), 414, 'uri_too_long');
    expect((await server().fetch('/healthz')).status).toBe(200);
  });
}

for (const kilobytes of [40, 200]) {
  it(`answers 431 to a header of ${kilobytes} KB`, async () => {
    const connection = await server().connect();
    connection.send(get(listPath(samplePath), `X-Long: ${'x'.repeat(kilobytes * kilobyte)}\r\n`));
    expectProblem(await connection.answer(), 431, 'headers_too_large');
    expect((await server().fetch('/healthz')).status).toBe(200);
  });
}

it('refuses a header of 2 MB, though it cannot tell it from a URL of that size', async () => {
  const connection = await server().connect();
  connection.send(get(listPath(samplePath), `X-Long: ${'x'.repeat(2048 * kilobyte)}\r\n`));
  const answer = await connection.answer();
  expect(problemFault(answer)).toBeUndefined();
  expect([414, 431]).toContain(answer.status);
});

it('answers 431 to many headers that are too large together', async () => {
  for (const count of [1_000, 20_000, 100_000]) {
    const connection = await server().connect();
    const headers = Array.from({ length: count }, (_, index) => `X-Header-${index}: ${'v'.repeat(30)}\r\n`);
    connection.send(get(listPath(samplePath), headers.join('')));
    expectProblem(await connection.answer(), 431, 'headers_too_large');
  }
});

it('takes 1 000 ids at once and refuses 1 001', async () => {
  const station = await Station.create(server(), 'ids');
  const resources = numbered(1_001, 'a-rather-long-resource-identifier');
  await station.write(resources);
  const ids = resources.map(({ resource_id: id }) => id);
  const { resources: found, page } = await station.list(
    `?page.size=1000&resource_ids=${ids.slice(0, 1000).join(',')}`,
  );
  expect(found.map(({ resource_id: id }) => id)).toEqual(ids.slice(0, 1000));
  expect(page?.total).toBe(1000);
  const repeated = ids.slice(0, 1000).map((id) => `resource_ids=${id}`);
  expect(await station.total(`&${repeated.join('&')}`)).toBe(1000);
  const refused = expectProblem(
    await toAnswer(await station.get(`?resource_ids=${ids.join(',')}`)),
    400,
    'invalid_parameter',
  );
  expect(refused).toMatchObject({ parameter: 'resource_ids', detail: expect.stringContaining('1001') });
});

it('refuses the whole list where it is larger than one answer may be, and says how large it is', async () => {
  const server = await startServer({ environment: { ROSTER_MAX_UNPAGED: '100' } });
  const station = await Station.create(server);
  await station.write(numbered(101));
  const problem = expectProblem(await toAnswer(await station.get()), 400, 'paging_required');
  expect(problem.total).toBe(101);
  await station.remove('vm-00000');
  expect((await station.list()).resources).toHaveLength(100);
});

it('takes Content-Type: application/json on GET and DELETE, with and without an empty body', async () => {
  const station = await Station.create(server(), 'content-types');
  await station.write(numbered(2));
  const headers = [
    'Content-Type: application/json\r\n',
    'Content-Type: application/json\r\nContent-Length: 0\r\n',
  ];
  const connection = await server().connect();
  for (const [index, header] of headers.entries()) {
    connection.send(get(listPath(station.path), header));
    expect((await connection.answer()).status).toBe(200);
    const path = `${writePath(station.path)}/vm-0000${index}`;
    connection.send(`DELETE ${path} HTTP/1.1\r\nHost: localhost\r\n${header}\r\n`);
    expect((await connection.answer()).status).toBe(200);
  }
  expect(await station.total()).toBe(0);
});

it('reads on past a body that came with a GET', async () => {
  const connection = await server().connect();
  const body = JSON.stringify({ filter: 'x'.repeat(100_000) });
  const header = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  for (let round = 0; round < 3; round++) {
    connection.send(`${get(listPath(samplePath, '?page.size=1'), header)}${body}`);
    expect((await connection.answer()).status).toBe(200);
  }
});

it('lets a client that expects 100-continue go on, and then takes its body', async () => {
  const station = await Station.create(server(), 'continue');
  const connection = await server().connect();
  const body = toNdjson(numbered(10));
  connection.send(
    `POST ${writePath(station.path)} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n` +
      `Content-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
  );
  expect((await connection.answer('POST')).status).toBe(100);
  connection.send(body);
  expect((await connection.answer('POST')).status).toBe(200);
  expect(await station.total()).toBe(10);
});

it('answers every refusal before a handler is reached with a problem document too', async () => {
  const malformed = [
    'GET /healthz HTTP/1.1\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n',
    'GET /healthz HTTP/1.0\r\nHost: localhost\r\nAccept: */*\r\nHOST: example.org\r\n\r\n',
    'GET /healthz HTTP/7.3\r\nHost: localhost\r\n\r\n',
    'BREW /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nHost: localhost\r\nBad Header: x\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    'GET /health\u0001z HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n',
    '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  ];
  for (const request of malformed) {
    const connection = await server().connect();
    connection.send(Buffer.from(request, 'latin1'));
    expectProblem(await connection.answer(), 400, 'malformed_request');
    await connection.end();
  }
});

it('ignores an expectation that it does not know, and a host within the request line', async () => {
  const connection = await server().connect();
  connection.send(get('/healthz', 'Expect: miracles\r\n'));
  expect((await connection.answer()).status).toBe(200);
  for (const path of ['/healthz', listPath(samplePath, '?page.size=1')]) {
    connection.send(get(`http://roster${path}`));
    expect((await connection.answer()).status).toBe(200);
  }
});

it('answers what came before a malformed request on the same connection first', async () => {
  const paths = ['/healthz', listPath(samplePath), listPath(samplePath, '?page.size=1'), '/nowhere'];
  const connection = await server().connect();
  connection.send(`${paths.map((path) => get(path)).join('')}GARBAGE\r\n\r\n`);
  const statuses: number[] = [];
  for (const _ of paths) statuses.push((await connection.answer()).status);
  expect(statuses).toEqual([200, 200, 200, 404]);
  expectProblem(await connection.answer(), 400, 'malformed_request');
  await connection.end();
});
