import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { TestIssuer, testClient } from '../../../../../testing/test-issuer.ts';
import { ask } from '../../testing/ask.ts';
import { TestServer } from '../../testing/test-server.ts';

const begin = '/roster/v1/session/oidc';
const callback = `${begin}/callback`;

let issuer: TestIssuer;
let server: TestServer;

beforeEach(async () => {
  issuer = await TestIssuer.start();
  issuer.account = { sub: 'u-1', preferred_username: 'ada', groups: ['sre'] };
  server = await TestServer.start(settingsFor(issuer));
  issuer.allowRedirect(server.url + callback);
});

afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await issuer[Symbol.asyncDispose]();
});

function settingsFor({ url }: TestIssuer): Record<string, string> {
  return {
    ROSTER_AUTH: 'on',
    ROSTER_OIDC_ISSUER: url,
    ROSTER_OIDC_CLIENT_ID: testClient.id,
    ROSTER_OIDC_CLIENT_SECRET: testClient.secret,
    ROSTER_OIDC_NAME: 'Test issuer',
    ROSTER_OIDC_ROLES: 'sre=writer',
    ROSTER_OIDC_SCOPES: 'sre=subscriptions/acme/**',
  };
}

/** Follows redirects and keeps cookies, as a browser does. */
class Browser {
  readonly cookies = new Map<string, string>();
  readonly visited: string[] = [];
  #setCookies: string[] = [];

  /** Ends at the first answer of the server that is not part of signing in, and returns its URL. */
  async visit(url: string): Promise<URL> {
    for (let at = new URL(url); ; ) {
      this.visited.push(at.href);
      const answer = await this.fetch(at.href);
      const location = answer.headers.get('location');
      if (location === null) return at;
      at = new URL(location, at);
      const isElsewhere = at.origin === new URL(server.url).origin && !at.pathname.startsWith(begin);
      if (isElsewhere) return at;
    }
  }

  async fetch(url: string): Promise<Response> {
    const { origin } = new URL(url);
    const own = [...this.cookies].flatMap(([key, value]) => (key.startsWith(`${origin} `) ? [value] : []));
    const answer = await fetch(url, { redirect: 'manual', headers: { Cookie: own.join('; ') } });
    this.#setCookies.push(...answer.headers.getSetCookie());
    for (const cookie of answer.headers.getSetCookie()) this.#keep(origin, cookie);
    return answer;
  }

  /** The whole header that last set a cookie. */
  setCookie(name: string): string | undefined {
    return this.#setCookies.findLast((each) => each.startsWith(`${name}=`));
  }

  #keep(origin: string, cookie: string): void {
    const [pair] = cookie.split(';');
    const key = `${origin} ${pair!.split('=')[0]}`;
    if (/max-age=0|expires=thu, 01 jan 1970/i.test(cookie)) this.cookies.delete(key);
    else this.cookies.set(key, pair!);
  }
}

const session = async (browser: Browser, url = server.url) =>
  (await (await browser.fetch(`${url}/roster/v1/session`)).json()) as {
    principal: object | null;
    sign_in: object;
  };

describe('signing in with an issuer', () => {
  it('is offered, goes there and back, and ends where it began', async () => {
    const browser = new Browser();
    expect(await session(browser)).toMatchObject({
      principal: null,
      sign_in: { token: true, oidc: { name: 'Test issuer', path: begin } },
    });
    const end = await browser.visit(
      `${server.url}${begin}?return_to=${encodeURIComponent('/types?find=gpu')}`,
    );
    expect(end.href).toBe(`${server.url}/types?find=gpu`);
    expect((await session(browser)).principal).toMatchObject({
      name: 'ada',
      kind: 'oidc',
      role: 'writer',
      scopes: ['subscriptions/acme/**'],
    });
    const asked = new URL(browser.visited.find((url) => url.startsWith(`${issuer.url}/auth`))!).searchParams;
    expect(asked.get('code_challenge_method')).toBe('S256');
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked.get(name)).toMatch(/^[\w-]{43}$/);
  });

  it('keeps what it knows in cookies that no script and no other site gets', async () => {
    const browser = new Browser();
    await browser.visit(server.url + begin);
    expect(browser.setCookie('roster_session')).toMatch(
      /^roster_session=[\w-]+\.[\w-]+\.[\w-]+; Path=\/; Max-Age=3\d{3}; HttpOnly; SameSite=Strict$/,
    );
    expect(browser.setCookie('roster_sign_in')).toBe(
      `roster_sign_in=; Path=${begin}; Max-Age=0; HttpOnly; SameSite=Lax`,
    );
  });

  it('can be begun on one node and finished on another', async () => {
    const other = await TestServer.start(settingsFor(issuer));
    onTestFinished(() => other[Symbol.asyncDispose]());
    const browser = new Browser();
    const away = await browser.fetch(server.url + begin);
    const attempt = browser.cookies.get(`${server.url} roster_sign_in`)!;
    // Both nodes have the same name in front of them; here that name is the first node's.
    const atIssuer = new Browser();
    const back = await stopBefore(atIssuer, away.headers.get('location')!, server.url);
    const { pathname, search } = new URL(back);
    const answer = await ask(other.url, {
      path: pathname + search,
      headers: { Cookie: attempt, Host: new URL(server.url).host },
    });
    expect(answer.headers.location).toBe('/');
  });

  it.each(['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    'never ends at %s',
    async (target) => {
      const end = await new Browser().visit(`${server.url}${begin}?return_to=${encodeURIComponent(target)}`);
      expect(end.href).toBe(`${server.url}/`);
    },
  );

  it('never ends where a cookie from elsewhere says', async () => {
    const browser = new Browser();
    const away = await browser.fetch(server.url + begin);
    const back = await stopBefore(new Browser(), away.headers.get('location')!, server.url);
    const attempt = browser.cookies.get(`${server.url} roster_sign_in`)!.split('=')[1]!;
    const kept = JSON.parse(Buffer.from(attempt, 'base64url').toString());
    const forged = Buffer.from(JSON.stringify({ ...kept, returnTo: '//evil.example/' })).toString(
      'base64url',
    );
    const answer = await fetch(back, { redirect: 'manual', headers: { Cookie: `roster_sign_in=${forged}` } });
    expect(answer.headers.get('location')).toBe('/');
  });
});

describe('who is not signed in', () => {
  const faultOf = async (browser = new Browser(), path = `${begin}?return_to=/types%23x`) => {
    const end = await browser.visit(server.url + path);
    expect((await session(browser)).principal).toBeNull();
    return end.pathname + end.hash;
  };

  it('because they have no role here, is told so', async () => {
    issuer.account = { sub: 'u-2', groups: ['guests'] };
    expect(await faultOf()).toBe('/types#sign-in=no_role');
  });

  it('because they cancelled, is told so', async () => {
    issuer.account = undefined;
    expect(await faultOf()).toBe('/types#sign-in=cancelled');
  });

  it('because too much is said of them, is told so', async () => {
    const groups = Array.from({ length: 300 }, (_, at) => `group-${at}-${'x'.repeat(20)}`);
    issuer.account = { sub: 'u-1', groups: ['sre', ...groups] };
    expect(await faultOf()).toBe('/types#sign-in=too_large');
  });

  it('because they come with the answer to another attempt, or to none, is told so', async () => {
    const theirs = await new Browser().fetch(server.url + begin);
    const back = new URL(await stopBefore(new Browser(), theirs.headers.get('location')!, server.url));
    expect(await faultOf(new Browser(), back.pathname + back.search)).toBe('/#sign-in=stale');
    const mine = new Browser();
    await mine.fetch(server.url + begin);
    expect(await faultOf(mine, back.pathname + back.search)).toBe('/#sign-in=stale');
    expect(await faultOf(new Browser(), callback)).toBe('/#sign-in=stale');
  });

  it('because the code is not good, is told so', async () => {
    const browser = new Browser();
    const away = await browser.fetch(server.url + begin);
    const { searchParams } = new URL(away.headers.get('location')!);
    const path = `${callback}?code=made-up&state=${searchParams.get('state')}&iss=${encodeURIComponent(issuer.url)}`;
    expect(await faultOf(browser, path)).toBe('/#sign-in=failed');
  });

  it('because the issuer does not answer, is told so', async () => {
    const browser = new Browser();
    const away = await browser.fetch(server.url + begin);
    const back = new URL(await stopBefore(new Browser(), away.headers.get('location')!, server.url));
    issuer.isDown = true;
    expect(await faultOf(browser, back.pathname + back.search)).toMatch('/#sign-in=failed');
  });

  it('because no issuer is set up, is told so', async () => {
    const plain = await TestServer.start({ ROSTER_AUTH: 'on' });
    onTestFinished(() => plain[Symbol.asyncDispose]());
    const answer = await fetch(plain.url + begin, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/#sign-in=failed']);
    expect(await session(new Browser(), plain.url)).toMatchObject({ sign_in: { oidc: null } });
  });
});

describe('a JWT', () => {
  const list = (jwt: string) => server.list('', { headers: { Authorization: `Bearer ${jwt}` } });

  it('is asked for its role and scopes like a token', async () => {
    issuer.accessClaims = { groups: 'sre' };
    const claims = { aud: testClient.id, groups: 'sre' };
    const jwt = await issuer.sign(claims);
    expect((await list(jwt)).status).toBe(403);
    const answer = await fetch(`${server.url}/roster/v1/stations`, {
      headers: { Authorization: `Bearer ${jwt}` },
    });
    expect([answer.status, await answer.json()]).toMatchObject([200, { stations: [], page: { total: 0 } }]);
    expect((await list(await issuer.sign({ ...claims, groups: 'guests' }))).status).toBe(403);
  });

  it('that is not good is unauthorized, and says so in the header', async () => {
    const answer = await list(await issuer.sign({ groups: 'sre', aud: 'other' }));
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="roster", error="invalid_token"',
    ]);
    expect(await answer.json()).toMatchObject({ code: 'unauthorized' });
  });

  it('waits for its issuer with 503, while tokens of the server work', async () => {
    issuer.isDown = true;
    const cut = await TestServer.start(settingsFor(issuer));
    onTestFinished(() => cut[Symbol.asyncDispose]());
    const jwt = await issuer.sign({ aud: testClient.id, groups: 'sre' });
    const stations = (token: string) =>
      fetch(`${cut.url}/roster/v1/stations`, { headers: { Authorization: `Bearer ${token}` } });
    const waiting = await stations(jwt);
    expect([waiting.status, waiting.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await stations(cut.firstToken!)).status).toBe(200);
    const end = await fetch(cut.url + begin, { redirect: 'manual' });
    expect(end.headers.get('location')).toBe('/#sign-in=unavailable');
  });
});

/** Follows redirects until they lead back to the server, and returns that address without asking it. */
async function stopBefore(browser: Browser, url: string, stop: string): Promise<string> {
  for (let at = url; ; ) {
    if (at.startsWith(stop)) return at;
    const answer = await browser.fetch(at);
    at = new URL(answer.headers.get('location')!, at).href;
  }
}
