import { expect, it } from 'vitest';
import { makeTokenText } from '../access/token-text.ts';
import { TestServer } from '../testing/test-server.ts';

interface Problem {
  readonly code: string;
  readonly detail: string;
}

const as = (token: string | undefined) => ({ headers: { Authorization: `Bearer ${token}` } });

async function newToken(server: TestServer, name: string): Promise<string> {
  const response = await fetch(`${server.url}/roster/v1/tokens`, {
    method: 'POST',
    headers: { ...as(server.firstToken).headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name, role: 'reader', scopes: ['**'] }),
  });
  return ((await response.json()) as { token: string }).token;
}

it('counts all requests of a principal together, tells what is left, and refuses the rest until it is time', async () => {
  const limits = { ROSTER_LIMITS_REQUESTS_PER_SECOND: '1', ROSTER_LIMITS_BURST: '4' };
  await using server = await TestServer.start({ ROSTER_AUTH: 'on', ...limits });
  const other = await newToken(server, 'other');
  const own = await newToken(server, 'own');
  const first = await server.list('page.size=1', as(own));
  expect(first.headers.get('ratelimit-policy')).toBe('"requests";q=4;w=4');
  expect(first.headers.get('ratelimit')).toBe('"requests";r=3;t=1');
  const second = await server.manage('/summary', as(own));
  expect(second.headers.get('ratelimit')).toMatch(/^"requests";r=[23];t=\d$/);
  let refused: Response;
  do refused = await server.list('page.size=1', as(own));
  while (refused.status !== 429);
  expect(((await refused.json()) as Problem).code).toBe('rate_limited');
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(refused.headers.get('ratelimit')).toBe('"requests";r=0;t=1');
  expect((await server.list('page.size=1', as(other))).status).toBe(404);
  await expect.poll(async () => (await server.list('', as(own))).status, { timeout: 60_000 }).toBe(404);
});

it('counts those who are nobody in particular by their address, and probes not at all', async () => {
  const limits = { ROSTER_LIMITS_REQUESTS_PER_SECOND: '1', ROSTER_LIMITS_BURST: '3' };
  await using server = await TestServer.start(limits);
  const statuses: number[] = [];
  for (let count = 0; count < 20; count++) statuses.push((await server.list()).status);
  expect(statuses.slice(0, 3)).toEqual([404, 404, 404]);
  expect(statuses).toContain(429);
  for (let count = 0; count < 20; count++) {
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  }
  const nowhere = await Promise.all(Array.from({ length: 10 }, () => fetch(`${server.url}/nowhere`)));
  expect(nowhere.map(({ status }) => status)).toContain(429);
});

it('has no limit without authentication unless it is given one', async () => {
  await using server = await TestServer.start();
  const response = await server.list();
  expect(response.headers.get('ratelimit')).toBeNull();
});

it('stops looking at what comes from an address after too many bad tokens, but lets those go on who are known', async () => {
  await using server = await TestServer.start({
    ROSTER_AUTH: 'on',
    ROSTER_LIMITS_FAILURES_PER_MINUTE: '5',
  });
  const known = await newToken(server, 'known');
  for (let count = 0; count < 10; count++) expect((await server.list()).status).toBe(401);
  const statuses = [];
  for (const bad of [makeTokenText(), 'roster_short', makeTokenText(), 'a.b.c', '']) {
    statuses.push((await server.list('', as(bad))).status);
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401]);
  const refused = await server.manage('/summary', as(makeTokenText()));
  expect(refused.status).toBe(429);
  expect(((await refused.json()) as Problem).detail).toContain('with a wrong token');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await server.list('', as(known))).status).toBe(404);
  expect((await server.list()).status).toBe(401);
});
