import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answered, type Asked, ask, bearer } from '../../testing/ask.ts';
import { TestServer } from '../../testing/test-server.ts';

let server: TestServer;
const path = '/roster/v1/session';
const station = '/roster/v1/subscriptions/s/resourceGroups/g/zones/z/telemetryStations/t';

beforeAll(async () => {
  server = await TestServer.start({ ROSTER_AUTH: 'on', ROSTER_TRUST_PROXY: '127.0.0.1' });
});
afterAll(() => server[Symbol.asyncDispose]());

const signIn = (token: unknown, headers: Record<string, string> = {}) =>
  ask(server.url, { method: 'POST', path, body: { token }, headers });
const cookieOf = ({ headers }: Answered) => headers['set-cookie']?.[0];
const withCookie = (asked: Asked, headers: Record<string, string> = {}) =>
  ask(server.url, {
    ...asked,
    headers: { Cookie: `a=b; roster_session=${server.firstToken}; c=d`, ...headers },
  });

describe('a session', () => {
  it('tells who is signed in, and how to', async () => {
    const nobody = await ask(server.url, { path });
    expect([nobody.status, JSON.parse(nobody.body)]).toEqual([
      200,
      { authentication: 'required', principal: null, sign_in: { token: true, oidc: null } },
    ]);
    const first = {
      authentication: 'required',
      principal: { name: 'first', kind: 'token', role: 'admin', scopes: ['**'], expires_at: null },
      sign_in: { token: true, oidc: null },
    };
    const signedIn = await ask(server.url, { path, headers: bearer(server.firstToken!) });
    expect(JSON.parse(signedIn.body)).toEqual(first);
    expect(JSON.parse((await withCookie({ path })).body)).toEqual(first);
    expect(signedIn.headers['cache-control']).toBe('no-store');
    const bad = await ask(server.url, { path, headers: bearer('x') });
    expect([bad.status, bad.headers['www-authenticate']]).toEqual([
      401,
      'Bearer realm="roster", error="invalid_token"',
    ]);
  });

  it('begins with a token, which the browser keeps out of reach of scripts and other sites', async () => {
    const answered = await signIn(`  ${server.firstToken}\n`);
    expect([answered.status, JSON.parse(answered.body).principal.name]).toEqual([200, 'first']);
    expect(cookieOf(answered)).toBe(
      `roster_session=${server.firstToken}; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict`,
    );
    expect(answered.body).not.toContain(server.firstToken);
  });

  it('is secure where the browser came by https', async () => {
    const answered = await signIn(server.firstToken, { 'X-Forwarded-Proto': 'https' });
    expect(cookieOf(answered)).toMatch(/^__Host-roster_session=.*; Path=\/; .*; SameSite=Strict; Secure$/);
  });

  it('is known over https by the name that no other host can set', async () => {
    const whoIs = async (cookie: string, headers: Record<string, string> = {}) =>
      JSON.parse((await ask(server.url, { path, headers: { Cookie: cookie, ...headers } })).body).principal
        ?.name;
    const https = { 'X-Forwarded-Proto': 'https' };
    const [plain, secure] = ['', '__Host-'].map((prefix) => `${prefix}roster_session=${server.firstToken}`);
    expect([await whoIs(plain!), await whoIs(secure!)]).toEqual(['first', undefined]);
    expect([await whoIs(plain!, https), await whoIs(secure!, https)]).toEqual([undefined, 'first']);
    expect(await whoIs(`roster_session=other; ${secure}`, https)).toBe('first');
  });

  it('is nobody when there are two', async () => {
    const own = `roster_session=${server.firstToken}`;
    for (const cookie of [`${own}; roster_session=other`, `roster_session=other; ${own}`]) {
      const { status, body } = await ask(server.url, { path, headers: { Cookie: cookie } });
      expect([status, JSON.parse(body).principal]).toEqual([200, null]);
    }
  });

  it('ends with the token', async () => {
    const made = await ask(server.url, {
      method: 'POST',
      path: '/roster/v1/tokens',
      headers: bearer(server.firstToken!),
      body: { name: 'short', role: 'reader', scopes: ['**'], expires_in: '1h' },
    });
    const cookie = cookieOf(await signIn(JSON.parse(made.body).token));
    expect(Number(/Max-Age=(\d+)/.exec(cookie!)![1])).toBeLessThanOrEqual(3600);
  });

  it('does not begin with anything else', async () => {
    for (const token of ['x', `${server.firstToken}x`]) {
      const answered = await signIn(token);
      expect([answered.status, cookieOf(answered)]).toEqual([401, undefined]);
    }
    for (const token of ['', 7, null, undefined, 'a.b\n.c', 'a;b', 'a'.repeat(4001)])
      expect((await signIn(token)).status).toBe(400);
  });

  it('is forgotten on request', async () => {
    const answered = await withCookie({ method: 'DELETE', path }, { 'Sec-Fetch-Site': 'same-origin' });
    expect([answered.status, cookieOf(answered)]).toEqual([
      204,
      'roster_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
    ]);
  });

  it('changes things only for pages of this server', async () => {
    const put = { method: 'PUT', path: station };
    for (const headers of [
      {},
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { 'Sec-Fetch-Site': 'none' },
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: server.url, 'Sec-Fetch-Site': 'cross-site' },
    ] as Record<string, string>[]) {
      expect((await withCookie(put, headers)).status).toBe(403);
    }
    expect((await withCookie(put, { 'Sec-Fetch-Site': 'same-origin' })).status).toBe(201);
    expect((await withCookie(put, { Origin: server.url })).status).toBe(200);
    expect((await withCookie({ path: station }, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(200);
  });

  it('cannot be begun or ended by a page of another site', async () => {
    expect((await signIn(server.firstToken, { Origin: 'https://evil.example' })).status).toBe(403);
    const headers = { 'Sec-Fetch-Site': 'cross-site' };
    expect((await ask(server.url, { method: 'DELETE', path, headers })).status).toBe(403);
  });
});

describe('where authentication is off', () => {
  it('everybody is an admin, and no cookie is kept', async () => {
    await using open = await TestServer.start();
    const session = {
      authentication: 'off',
      principal: { name: 'anonymous', kind: 'anonymous', role: 'admin', scopes: ['**'], expires_at: null },
      sign_in: { token: true, oidc: null },
    };
    expect(JSON.parse((await ask(open.url, { path })).body)).toEqual(session);
    const answered = await ask(open.url, { method: 'POST', path, body: { token: 'x' } });
    expect([JSON.parse(answered.body), cookieOf(answered)]).toEqual([session, undefined]);
  });
});
