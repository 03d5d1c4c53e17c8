import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startGuardedServer } from '../testing/guarded-server.ts';
import { startServer } from '../testing/start-server.ts';
import { Station } from '../testing/station.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

it('counts requests for the reference like those for anything else that needs no token', async () => {
  const environment = { ROSTER_LIMITS_REQUESTS_PER_SECOND: '1', ROSTER_LIMITS_BURST: '5' };
  const server = await startGuardedServer({ environment });
  for (const path of ['/docs', '/docs/static/index.html', '/docs/static/swagger-ui.css']) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => fetch(`${server.url}${path}`)));
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    for (const { headers } of answers) expect(headers.get('ratelimit')).toMatch(/^"requests";r=\d+/);
  }
});

it('forgets a session over https by both names, so that none is left from when the cookie had another', async () => {
  const server = await startGuardedServer({ environment: { ROSTER_TRUST_PROXY: '127.0.0.1' } });
  const signOut = async (scheme: string) => {
    const headers = { 'X-Forwarded-Proto': scheme };
    const answer = await fetch(`${server.url}/roster/v1/session`, { method: 'DELETE', headers });
    return answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  };
  expect(await signOut('https')).toEqual(['__Host-roster_session=', 'roster_session=']);
  expect(await signOut('http')).toEqual(['roster_session=']);
});

it('takes no cookie over https that another host could have set', async () => {
  const server = await startGuardedServer({ environment: { ROSTER_TRUST_PROXY: '127.0.0.1' } });
  const list = async (name: string) => {
    const headers = { 'X-Forwarded-Proto': 'https', Cookie: `${name}=${server.adminToken}` };
    return (await fetch(`${server.url}/roster/v1/stations`, { headers })).status;
  };
  expect([await list('roster_session'), await list('__Host-roster_session')]).toEqual([401, 200]);
});

it.each(['on', 'off'])('lets no cache between share a list, with authentication %s', async (auth) => {
  const server = await (auth === 'on' ? startGuardedServer() : startServer());
  const station = await Station.create(server);
  await station.write([{ resource_id: 'a' }]);
  const listed = await station.get();
  expect(listed.headers.get('cache-control')).toBe('private, no-cache');
  const paged = await station.get('?page.size=1');
  expect(paged.headers.get('cache-control')).toBe('private, no-cache');
  const again = await station.get('', { 'If-None-Match': listed.headers.get('etag')! });
  expect([again.status, again.headers.get('cache-control')]).toEqual([304, 'private, no-cache']);
  for (const part of ['', '/resources/a', '/changes']) {
    expect((await station.ask(part)).headers.get('cache-control')).toBe('no-store');
  }
  for (const part of ['/summary', '/export']) {
    expect((await station.ask(part)).headers.get('cache-control')).toBe('private, no-cache');
  }
});

it('revokes with a stolen token whatever was made with it, and else says what is left', async () => {
  const auditFile = join(temporaryDirectory(), 'audit.log');
  const server = await startGuardedServer({ environment: { ROSTER_AUDIT_FILE: auditFile } });
  const make = async (token: string) => {
    const init = {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'left behind', role: 'admin', scopes: ['**'] }),
    };
    return (await (await fetch(`${server.url}/roster/v1/tokens`, init)).json()) as {
      id: string;
      token: string;
    };
  };
  const works = async ({ token }: { token: string }) => {
    const headers = { Authorization: `Bearer ${token}` };
    return (await fetch(`${server.url}/roster/v1/stations`, { headers })).status === 200;
  };
  const revoke = async (id: string, query = '') =>
    (await server.fetch(`/roster/v1/tokens/${id}${query}`, { method: 'DELETE' })).json();

  const stolen = await make(server.adminToken);
  const child = await make(stolen.token);
  const grandchild = await make(child.token);
  const other = await make(server.adminToken);
  expect(await revoke(child.id)).toEqual({ revoked: [child.id], still_valid: [grandchild.id] });
  expect([await works(child), await works(grandchild)]).toEqual([false, true]);
  const { revoked } = (await revoke(stolen.id, '?cascade=true')) as { revoked: string[] };
  expect(revoked.sort()).toEqual([stolen.id, grandchild.id].sort());
  expect(await Promise.all([stolen, child, grandchild, other].map(works))).toEqual([
    false,
    false,
    false,
    true,
  ]);
  const audited = readFileSync(auditFile, 'utf8')
    .split('\n')
    .filter((line) => line.includes('revokeToken'))
    .map((line) => (JSON.parse(line) as { target: string }).target);
  expect(audited.sort()).toEqual([stolen.id, child.id, grandchild.id].sort());
});
