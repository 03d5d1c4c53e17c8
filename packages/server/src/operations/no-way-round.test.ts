import net from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asked, ask, bearer } from '../testing/ask.ts';
import { record, TestServer } from '../testing/test-server.ts';

const secretName = 'crown-jewels';
const listPath = (station: string) => `/monitor/ts/data/v1/${station}/resources`;
const secret = 'subscriptions/other/resourceGroups/g/zones/z/telemetryStations/t';
const own = 'subscriptions/acme/resourceGroups/g/zones/z/telemetryStations/t';
let server: TestServer;
let narrow: string;

beforeAll(async () => {
  server = await TestServer.start({ ROSTER_AUTH: 'on' });
  const headers = bearer(server.firstToken!);
  for (const station of [secret, own]) {
    const path = `/roster/v1/${station}`;
    await ask(server.url, { method: 'PUT', path, headers });
    const name = station === secret ? secretName : 'ours';
    await ask(server.url, { method: 'POST', path: `${path}/resources`, headers, body: [record(name)] });
  }
  const body = { name: 'narrow', role: 'admin', scopes: ['acme/**'] };
  const made = await ask(server.url, { method: 'POST', path: '/roster/v1/tokens', headers, body });
  narrow = JSON.parse(made.body).token;
});
afterAll(() => server[Symbol.asyncDispose]());

/** Ways to write the path of a station that a server might take for another, or not look at. */
const detours: Record<string, (station: string) => string> = {
  'as it is': listPath,
  'with dots': () => listPath(`${own}/../../../../../../../../${secret}`),
  'with encoded dots': () =>
    listPath(`${own}/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/${secret}`),
  'with encoded slashes': () =>
    listPath(`subscriptions/acme%2F..%2Fother/resourceGroups/g/zones/z/telemetryStations/t`),
  'with doubly encoded slashes': () => listPath(secret.replaceAll('/', '%252F')),
  'with all of it encoded': (station) => listPath(station.replace('other', '%6f%74%68%65%72')),
  'with an encoded keyword': (station) => listPath(station.replace('subscriptions', '%73ubscriptions')),
  'with double slashes': (station) => listPath(station.replace('zones', '/zones')),
  'with a double slash before it': (station) => `/${listPath(station)}`,
  'with a trailing slash': (station) => `${listPath(station)}/`,
  'with a trailing dot': (station) => `${listPath(station)}/.`,
  'with backslashes': (station) => listPath(station.replaceAll('/', '\\')),
  'with another case': (station) => listPath(station).replace('subscriptions', 'Subscriptions'),
  'with the subscription in capitals': (station) => listPath(station.replace('other', 'OTHER')),
  'with a semicolon': (station) => listPath(station.replace('/resourceGroups', ';x=/resourceGroups')),
  'with a null byte': (station) => listPath(station.replace('other', 'acme%00other')),
  'with a parameter in the query': (station) => `${listPath(station)}?subscription_name=acme`,
  'with a token in the query': (station) => `${listPath(station)}?access_token=x&token=x`,
  'in the absolute form': (station) => `http://127.0.0.1${listPath(station)}`,
  'in the absolute form of another host': (station) => `http://other.example${listPath(station)}`,
  'of its export': (station) => `/roster/v1/${station}/export`,
  'of its export, in another case': (station) => `/roster/v1/${station}/EXPORT`,
  'of its export, encoded': (station) => `/roster/v1/${station}/%65xport`,
  'of its export, below the docs': (station) => `/docs/../roster/v1/${station}/export`,
  'of its export, below the console': (station) => `/assets/%2e%2e/roster/v1/${station}/export`,
  'of its changes': (station) => `/roster/v1/${station}/changes`,
  'of its stream': (station) => `/roster/v1/${station}/changes/stream?since=0`,
  'of its resource': (station) => `/roster/v1/${station}/resources/${secretName}`,
};

describe.each(Object.entries(detours))('the path of a station, %s', (_, write) => {
  it.each(['GET', 'HEAD', 'POST', 'OPTIONS', 'PATCH', 'PROPFIND'])(
    'shows nothing of it to %s',
    async (method) => {
      const asked: Asked = { method, path: write(secret) };
      for (const headers of [{}, bearer(narrow), { ...bearer(narrow), 'X-HTTP-Method-Override': 'GET' }]) {
        const answered = await ask(server.url, { ...asked, headers });
        expect(answered.body).not.toContain(secretName);
        expect([answered.status, answered.headers['roster-revision']]).toEqual([
          expect.any(Number),
          undefined,
        ]);
        const isRefused = answered.status >= 400 || (method === 'OPTIONS' && answered.status === 204);
        expect([answered.status, isRefused]).toEqual([answered.status, true]);
      }
    },
  );
});

it('headers that proxies use for other paths and methods change nothing', async () => {
  for (const headers of [
    { 'X-Original-URL': listPath(own) },
    { 'X-Rewrite-URL': listPath(own) },
    { 'X-Forwarded-Uri': listPath(own) },
    { Host: 'localhost' },
    { 'X-Forwarded-For': '127.0.0.1' },
    { 'X-Forwarded-User': 'admin' },
  ] as Record<string, string>[]) {
    const answered = await ask(server.url, {
      path: listPath(secret),
      headers: { ...bearer(narrow), ...headers },
    });
    expect(answered.status).toBe(403);
  }
});

it('a request behind another on the same connection is asked for its own token', async () => {
  const { hostname, port } = new URL(server.url);
  const socket = net.connect(Number(port), hostname);
  const head = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
  socket.write(
    head(listPath(own), `Authorization: Bearer ${narrow}\r\n`) +
      head(listPath(secret)) +
      head(listPath(own), 'Connection: close\r\n'),
  );
  const answers = await text(socket);
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 401', 'HTTP/1.1 401']);
  expect(answers).not.toContain(secretName);
});

it('a body is not read from whoever may not send it, and changes nothing', async () => {
  const path = `/roster/v1/${secret}/resources?mode=replace&allow_removal=all`;
  const body = [record('evil')];
  expect((await ask(server.url, { method: 'POST', path, body })).status).toBe(401);
  expect((await ask(server.url, { method: 'POST', path, body, headers: bearer(narrow) })).status).toBe(403);
  const after = await ask(server.url, { path: listPath(secret), headers: bearer(server.firstToken!) });
  expect(after.body).toContain(secretName);
  expect(after.body).not.toContain('evil');
});

describe('what is open to anyone', () => {
  it.each([
    '/',
    '/docs',
    '/docs/',
    '/docs/static/index.html',
    '/openapi.json',
    '/healthz',
    '/readyz',
    '/stations/other/g/z/t',
  ])('%s tells nothing of what is stored', async (path) => {
    for (const accept of ['text/html', '*/*']) {
      const answered = await ask(server.url, { path, headers: { Accept: accept } });
      expect([200, 302, 404, 503]).toContain(answered.status);
      expect(answered.body).not.toContain(secretName);
    }
  });

  it('OPTIONS and refused methods tell of routes, and not of stations', async () => {
    for (const station of [secret, own, secret.replace('telemetryStations/t', 'telemetryStations/none')]) {
      const options = await ask(server.url, { method: 'OPTIONS', path: `/roster/v1/${station}` });
      expect([options.status, options.headers.allow]).toEqual([204, 'GET, HEAD, PUT, DELETE, OPTIONS']);
      const refused = await ask(server.url, { method: 'PATCH', path: `/roster/v1/${station}` });
      expect(refused.status).toBe(405);
    }
  });
});
