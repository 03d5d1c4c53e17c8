import http, { type IncomingHttpHeaders } from 'node:http';
import net from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { record, TestServer } from '../testing/test-server.ts';

/** By their settings. */
const servers = new Map<string, TestServer>();
/** Of the test that runs. */
let server: TestServer | undefined;

afterAll(async () => {
  for (const each of servers.values()) await each[Symbol.asyncDispose]();
});

/** Tests with the same settings share a server, whose station is there when they begin. */
async function start(environment: Record<string, string> = {}): Promise<TestServer> {
  const settings = JSON.stringify(environment);
  server = servers.get(settings) ?? (await TestServer.start(environment));
  servers.set(settings, server);
  await server.createStation();
  return server;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
}

/** Sends headers that `fetch` would not. */
function ask({ method = 'GET', path = '/healthz', headers = {} }: Asked): Promise<Answer> {
  const url = new URL(path, server!.url);
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, headers, agent: false }, async (response) => {
      let body = '';
      for await (const chunk of response) body += chunk;
      resolve({ status: response.statusCode!, headers: response.headers, body });
    });
    request.once('error', reject).end();
  });
}

const listPath = `/monitor/ts/data/v1/subscriptions/s/resourceGroups/g/zones/z/telemetryStations/t/resources`;
const stationPath = '/roster/v1/subscriptions/s/resourceGroups/g/zones/z/telemetryStations/t';

describe('every answer', () => {
  const strict = {
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    'cross-origin-resource-policy': 'same-origin',
  };

  it('tells how long its connection may rest', async () => {
    await start();
    for (const path of [
      '/healthz',
      '/nowhere',
      listPath,
      `${listPath}?page.size=1`,
      `${listPath}?page.size=x`,
    ]) {
      const { headers } = await fetch(`${server!.url}${path}`);
      expect([path, headers.get('keep-alive')]).toEqual([path, 'timeout=65']);
    }
    expect((await ask({ path: listPath })).headers['keep-alive']).toBeUndefined();
  });

  it('tells browsers to take it for what it is, and to show it in no frame', async () => {
    await start();
    const etag = String((await ask({ path: listPath })).headers.etag);
    for (const asked of [
      { path: listPath },
      { path: `${listPath}?page.size=1` },
      { path: listPath, headers: { 'If-None-Match': etag } },
      { path: `${listPath}?page.size=x` },
      { path: listPath, method: 'HEAD' },
      { path: listPath, method: 'OPTIONS' },
      { path: stationPath },
      { path: `${stationPath}/export` },
      { path: '/roster/v1/types' },
      { path: '/nope' },
      { path: '/healthz', method: 'POST' },
      { path: '/' },
      { path: '/', headers: { Accept: 'text/html' } },
      { path: '/docs/' },
      { path: '/openapi.json' },
      { path: '/%ff' },
    ]) {
      const { headers } = await ask(asked);
      expect([asked, headers]).toEqual([asked, expect.objectContaining(strict)]);
      expect(Object.keys(headers).filter((name) => /^(access-control|strict-transport)/.test(name))).toEqual(
        [],
      );
    }
  });

  it('does so even to what is no HTTP', async () => {
    await start();
    const socket = net.connect(Number(new URL(server!.url).port), '127.0.0.1');
    socket.end('nonsense\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += chunk;
    expect(text).toContain('\r\nX-Content-Type-Options: nosniff\r\n');
  });

  it('is a page only where it must be, and those run nothing that stands in them', async () => {
    await start();
    for (const path of ['/', '/docs/']) {
      const { headers } = await ask({ path, headers: { Accept: 'text/html' } });
      expect(headers).toMatchObject({
        'x-frame-options': 'DENY',
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'same-origin',
        'content-security-policy': expect.stringMatching(/^default-src 'self'; (?!.*unsafe)/),
      });
    }
  });
});

describe('while authentication is off', () => {
  it('only names that stand for this machine are answered to', async () => {
    await start({ ROSTER_ALLOWED_HOSTS: 'Roster.test,other.test' });
    for (const host of [
      '127.0.0.1:8080',
      'localhost',
      'LocalHost:1',
      '127.9.9.9',
      '[::1]:80',
      'roster.test:8080',
      'OTHER.test',
    ]) {
      expect([host, (await ask({ headers: { Host: host } })).status]).toEqual([host, 200]);
    }
    for (const host of [
      'evil.example',
      'evil.example:8080',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      'roster.test.evil',
      '192.0.2.1',
      '[2001:db8::1]:8080',
      'localhost:80:80',
      '[::1',
    ]) {
      for (const path of ['/healthz', listPath, '/', '/docs/']) {
        const { status, body } = await ask({ path, headers: { Host: host } });
        expect([host, path, status, JSON.parse(body).code]).toEqual([host, path, 421, 'misdirected_request']);
      }
    }
  });

  it('so it is on a port of metrics, which asks for no token, whatever the main port asks', async () => {
    const { metricsUrl } = await start({ ROSTER_METRICS_PORT: '0', ROSTER_AUTH: 'on' });
    const { status, headers } = await ask({ path: metricsUrl });
    expect([status, headers['x-content-type-options']]).toEqual([200, 'nosniff']);
    expect((await ask({ path: metricsUrl, headers: { Host: 'evil.example' } })).status).toBe(421);
    expect((await ask({ headers: { Host: 'evil.example' } })).status).toBe(200);
  });

  it('a request without a host is from no browser, and is answered', async () => {
    await start();
    const socket = net.connect(Number(new URL(server!.url).port), '127.0.0.1');
    socket.end('GET /healthz HTTP/1.0\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += chunk;
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('pages of other origins may not write, whatever they send', async () => {
    await start({ ROSTER_CORS_ORIGINS: 'https://console.example.com' });
    const statusFor = async (headers: Record<string, string>) =>
      (await ask({ method: 'DELETE', path: stationPath, headers })).status;
    const origin = 'https://evil.example';
    expect(await statusFor({ Origin: origin, 'Sec-Fetch-Site': 'cross-site' })).toBe(403);
    expect(await statusFor({ Origin: 'http://127.0.0.1:1', 'Sec-Fetch-Site': 'same-site' })).toBe(403);
    expect(await statusFor({ Origin: origin })).toBe(403);
    expect(await statusFor({ Origin: 'null' })).toBe(403);
    expect((await ask({ path: stationPath, headers: { 'Sec-Fetch-Site': 'cross-site' } })).status).toBe(200);
    const allowed = { Origin: 'https://console.example.com', 'Sec-Fetch-Site': 'cross-site' };
    expect(await statusFor(allowed)).toBe(204);
    expect(await statusFor({ Origin: server!.url, 'Sec-Fetch-Site': 'same-origin' })).toBe(404);
    expect(await statusFor({ Origin: server!.url })).toBe(404);
  });
});

describe('scripts of other origins', () => {
  const origin = 'https://console.example.com';
  const preflight = { 'Access-Control-Request-Method': 'PUT', 'Access-Control-Request-Headers': 'if-match' };

  it('are told nothing unless they are allowed', async () => {
    await start();
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await ask({ method, path: listPath, headers: { Origin: origin, ...preflight } });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(headers.vary ?? '').not.toContain('Origin');
    }
  });

  it('may read every answer when their origin is named, errors included', async () => {
    await start({ ROSTER_CORS_ORIGINS: `${origin},http://localhost:5173` });
    await server!.write(record('a'));
    const { headers: first } = await ask({ path: listPath, headers: { Origin: origin } });
    for (const path of [
      listPath,
      `${listPath}?page.size=x`,
      stationPath,
      `${stationPath}/export`,
      '/',
      '/nope',
    ]) {
      const { headers } = await ask({ path, headers: { Origin: origin } });
      expect([path, headers['access-control-allow-origin']]).toEqual([path, origin]);
      expect(headers['access-control-expose-headers']).toContain('Roster-Revision');
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    }
    const cached = { Origin: 'http://localhost:5173', 'If-None-Match': String(first.etag) };
    const { status, headers } = await ask({ path: listPath, headers: cached });
    expect([status, headers['access-control-allow-origin']]).toEqual([304, 'http://localhost:5173']);
  });

  it('are not confused by caches: every answer that may be kept varies by origin', async () => {
    await start({ ROSTER_CORS_ORIGINS: origin });
    for (const path of [
      listPath,
      `${stationPath}/export`,
      `${stationPath}/summary`,
      '/roster/v1/types',
      '/',
    ]) {
      for (const headers of [{}, { Origin: origin }, { Origin: 'https://evil.example' }]) {
        const { vary = '' } = (await ask({ path, headers })).headers;
        expect([path, vary.split(/, */).filter((name) => name === 'Origin')]).toEqual([path, ['Origin']]);
      }
    }
    const { vary } = (await ask({ path: listPath })).headers;
    expect(vary?.split(/, */).toSorted()).toEqual(['Accept-Language', 'Origin', 'Roster-Revision']);
  });

  it('may ask first however many requests they make', async () => {
    await start({
      ROSTER_CORS_ORIGINS: origin,
      ROSTER_LIMITS_REQUESTS_PER_SECOND: '1',
      ROSTER_LIMITS_BURST: '1',
    });
    for (let count = 0; count < 5; count++) {
      const { status } = await ask({
        method: 'OPTIONS',
        path: stationPath,
        headers: { Origin: origin, ...preflight },
      });
      expect(status).toBe(204);
    }
  });

  it('may ask first what they may send', async () => {
    await start({ ROSTER_CORS_ORIGINS: origin });
    const { status, headers, body } = await ask({
      method: 'OPTIONS',
      path: stationPath,
      headers: { Origin: origin, ...preflight },
    });
    expect([status, body]).toEqual([204, '']);
    expect(headers['access-control-allow-origin']).toBe(origin);
    expect(headers['access-control-allow-methods']).toContain('PUT');
    expect(headers['access-control-allow-headers']).toMatch(/Authorization.*If-Match/);
  });

  it('of any other origin stay out', async () => {
    await start({ ROSTER_CORS_ORIGINS: origin });
    for (const other of [
      'https://evil.example',
      'null',
      `${origin}.evil.example`,
      `${origin}:8443`,
      'http://console.example.com',
    ]) {
      for (const method of ['GET', 'OPTIONS']) {
        const { headers } = await ask({ method, path: listPath, headers: { Origin: other, ...preflight } });
        expect([other, headers['access-control-allow-origin']]).toEqual([other, undefined]);
      }
    }
  });

  it('may all come where * is set, with tokens and never with cookies', async () => {
    await start({ ROSTER_CORS_ORIGINS: '*', ROSTER_AUTH: 'on' });
    const { headers } = await ask({ path: listPath, headers: { Origin: 'https://any.example' } });
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
    expect(headers.vary ?? '').not.toContain('Origin');
  });
});
