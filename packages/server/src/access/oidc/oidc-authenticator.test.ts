import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseScope, RosterError } from '@roster/contract';
import type { MaybePromise } from '@roster/engine';
import { exportJWK, exportSPKI, generateKeyPair, importJWK, SignJWT, UnsecuredJWT } from 'jose';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { TestIssuer, testAudience } from '../../../../../testing/test-issuer.ts';
import { Issuer, type IssuerTiming } from './issuer.ts';
import { OidcAuthenticator } from './oidc-authenticator.ts';
import type { OidcSettings } from './oidc-settings.ts';

const acme = parseScope('subscriptions/acme/**');
const never = 3_600_000;
const patient: IssuerTiming = { cooldownMs: never, refreshMs: never, retryMs: never };
const logger = pino({ level: 'silent' });

let provider: TestIssuer;

beforeEach(async () => {
  provider = await TestIssuer.start();
});

afterEach(() => provider[Symbol.asyncDispose]());

async function start(timing: IssuerTiming = patient, given: Partial<OidcSettings> = {}) {
  const issuer = new Issuer(provider.url, { logger, timing });
  onTestFinished(() => issuer.stop());
  await issuer.start();
  return new OidcAuthenticator(issuer, {
    issuer: provider.url,
    audiences: [testAudience],
    algorithms: ['RS256', 'ES256', 'EdDSA'],
    claims: {
      roleClaim: 'groups',
      roles: new Map([['sre', 'writer']]),
      scopeClaim: 'groups',
      scopes: new Map([['sre', [acme]]]),
    },
    browser: undefined,
    ...given,
  });
}

const sre = { groups: ['sre'] };
const codeOf = (asked: MaybePromise<unknown>) =>
  Promise.resolve(asked).then(
    () => 'accepted',
    (error) => (error instanceof RosterError ? error.code : error),
  );
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

describe('a JWT', () => {
  it('that the issuer made stands for whom it says, until it expires', async () => {
    provider.accessClaims = { ...sre, preferred_username: 'deploy-bot' };
    const principal = await (await start()).authenticate(await provider.accessToken());
    expect(principal).toMatchObject({ name: 'deploy-bot', kind: 'oidc', role: 'writer', scopes: [acme] });
    expect(principal.expiresAtMs).toBeGreaterThan(Date.now());
  });

  it.each([
    [{ preferred_username: 'ada', email: 'ada@example.com' }, 'ada'],
    [{ preferred_username: '', email: 'ada@example.com' }, 'ada@example.com'],
    [{ preferred_username: 7 }, 'someone'],
    [{ email: 'x'.repeat(1000) }, 'x'.repeat(200)],
  ])('with %j is named', async (claims, name) => {
    const authenticator = await start();
    expect(await authenticator.authenticate(await provider.sign({ ...sre, ...claims }))).toMatchObject({
      id: 'someone',
      name,
    });
  });

  it('may be for several audiences, and be half a minute ahead or behind', async () => {
    const authenticator = await start();
    for (const claims of [
      { aud: ['other', testAudience] },
      { nbf: inSeconds(20) },
      { exp: inSeconds(-10) },
      { exp: 1e15 },
    ]) {
      expect(await codeOf(authenticator.authenticate(await provider.sign({ ...sre, ...claims })))).toBe(
        'accepted',
      );
    }
  });

  it('without a role here is forbidden, not unauthorized', async () => {
    const authenticator = await start();
    expect(await codeOf(authenticator.authenticate(await provider.sign({ groups: ['other'] })))).toBe(
      'forbidden',
    );
  });

  it('is not accepted with a key that has been taken back, nor refused with a new one', async () => {
    const authenticator = await start({ ...patient, cooldownMs: 0 });
    const old = await provider.sign(sre);
    await authenticator.authenticate(old);
    await provider.rotateKeys();
    expect(await codeOf(authenticator.authenticate(await provider.sign(sre)))).toBe('accepted');
    expect(await codeOf(authenticator.authenticate(old))).toBe('unauthorized');
  });

  it('stands for nobody any more when its key has been taken back', async () => {
    const authenticator = await start({ ...patient, cooldownMs: 0 });
    const old = await authenticator.authenticate(await provider.sign(sre));
    expect(authenticator.isValid(old)).toBe(true);
    await provider.rotateKeys();
    const kept = await authenticator.authenticate(await provider.sign(sre));
    await expect.poll(() => authenticator.isValid(old)).toBe(false);
    expect(authenticator.isValid(kept)).toBe(true);
  });
});

describe('a hostile JWT', () => {
  const hostile: Record<string, () => Promise<string>> = {
    'without a signature': async () =>
      new UnsecuredJWT({
        iss: provider.url,
        aud: testAudience,
        sub: 'x',
        ...sre,
        exp: inSeconds(60),
      }).encode(),
    'with the algorithm none and a signature': async () =>
      withHeader(await provider.sign(sre), { alg: 'none' }),
    'signed with the public key as a shared secret': async () => {
      const pem = await exportSPKI((await importJWK(provider.publicKey, 'RS256')) as CryptoKey);
      const claims = { iss: provider.url, aud: testAudience, sub: 'x', ...sre, exp: inSeconds(60) };
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', kid: provider.keyId })
        .sign(new TextEncoder().encode(pem));
    },
    'signed with another key under a known name': async () => forged({ kid: provider.keyId }),
    'signed with another key without a name': async () => forged({}),
    'with another payload under the signature': async () => {
      const [header, , signature] = (await provider.sign(sre)).split('.');
      const [, payload] = (await provider.sign({ ...sre, sub: 'root' })).split('.');
      return [header, payload, signature].join('.');
    },
    'for another audience': () => provider.sign({ ...sre, aud: 'other' }),
    'for no audience': () => provider.sign({ ...sre, aud: undefined }),
    'of another issuer': () => provider.sign({ ...sre, iss: `${provider.url}/` }),
    'of no issuer': () => provider.sign({ ...sre, iss: undefined }),
    'that has expired': () => provider.sign({ ...sre, exp: inSeconds(-120) }),
    'that never expires': () => provider.sign({ ...sre, exp: undefined }),
    'that expires at a text': () => provider.sign({ ...sre, exp: '9999999999' }),
    'of the future': () => provider.sign({ ...sre, nbf: inSeconds(120) }),
    'of nobody': () => provider.sign({ ...sre, sub: undefined }),
    'of an empty name': () => provider.sign({ ...sre, sub: '' }),
    'of an object': () => provider.sign({ ...sre, sub: { toString: 'x' } }),
    'that is a logout token': () => provider.sign(sre, { typ: 'logout+jwt' }),
    'with a critical extension': async () =>
      withHeader(await provider.sign(sre), { alg: 'RS256', crit: ['x'], x: 1 }),
    'cut off': async () => (await provider.sign(sre)).slice(0, -5),
    'without its signature': async () => (await provider.sign(sre)).replace(/[^.]*$/, ''),
    'in two parts': async () => (await provider.sign(sre)).replace(/\.[^.]*$/, ''),
    'in five parts': async () => 'a.b.c.d.e',
    'of 64 KB': () => provider.sign({ ...sre, padding: 'x'.repeat(64 * 1024) }),
    'with a blank in it': async () => (await provider.sign(sre)).replace('.', '.\n'),
    'with a padded signature': async () => `${await provider.sign(sre)}==`,
    'whose last bits mean nothing': async () => writtenOtherwise(await provider.sign(sre)),
    'that is none': async () => 'hello',
    'that is empty': async () => '',
    'that is dots': async () => '..',
    'of bytes that are not UTF-8': async () => `${Buffer.from([0xff, 0xfe]).toString('base64url')}.e30.x`,
    'with a header that is a list': async () => `${encode([])}.e30.x`,
    'with an algorithm that is an object': async () => withHeader(await provider.sign(sre), { alg: {} }),
    'with a key name that is an object': async () => withHeader(await provider.sign(sre), { kid: {} }),
  };

  it.each(Object.entries(hostile))('%s is unauthorized', async (_what, make) => {
    const authenticator = await start();
    expect(await codeOf(authenticator.authenticate(await make()))).toBe('unauthorized');
    expect(provider.keyReads).toBe(1);
  });

  it('never makes the server ask an address that it names', async () => {
    let asked = 0;
    const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), kid: 'mine', alg: 'RS256' };
    const attacker = http.createServer((_request, response) => {
      asked += 1;
      response.end(JSON.stringify({ keys: [jwk] }));
    });
    await new Promise<void>((resolve) => attacker.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void attacker.close());
    const url = `http://127.0.0.1:${(attacker.address() as AddressInfo).port}/keys`;
    const authenticator = await start();
    for (const header of [{ jku: url }, { x5u: url }, { jwk }, { jku: url, jwk, x5u: url }]) {
      for (const kid of ['mine', provider.keyId]) {
        const claims = { iss: provider.url, aud: testAudience, sub: 'x', ...sre, exp: inSeconds(60) };
        const jwt = await new SignJWT(claims)
          .setProtectedHeader({ alg: 'RS256', kid, ...header })
          .sign(privateKey);
        expect(await codeOf(authenticator.authenticate(jwt))).toBe('unauthorized');
      }
    }
    expect([asked, provider.keyReads]).toEqual([0, 1]);
  });

  it('with an unknown key asks the issuer once per cooldown, however many come', async () => {
    const authenticator = await start({ ...patient, cooldownMs: 400 });
    expect(provider.keyReads).toBe(1);
    const flood = async (count: number) => {
      const tokens = await Promise.all(
        Array.from({ length: count }, (_, at) => forged({ kid: `key-${at}` })),
      );
      const codes = await Promise.all(tokens.map((jwt) => codeOf(authenticator.authenticate(jwt))));
      expect(new Set(codes)).toEqual(new Set(['unauthorized']));
    };
    const startedAt = performance.now();
    for (let round = 0; round < 5; round++) await flood(20);
    const cooldowns = Math.floor((performance.now() - startedAt) / 400) + 1;
    expect(provider.keyReads).toBeLessThanOrEqual(1 + cooldowns);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const before = provider.keyReads;
    await flood(20);
    expect(provider.keyReads).toBeGreaterThan(before);
  });
});

describe('an issuer that does not answer', () => {
  it('leaves its tokens undecided, and is asked again until it does', async () => {
    provider.isDown = true;
    const authenticator = await start({ ...patient, retryMs: 20 });
    const jwt = await provider.sign(sre);
    expect(await codeOf(authenticator.authenticate(jwt))).toBe('issuer_unavailable');
    provider.isDown = false;
    await expect.poll(() => codeOf(authenticator.authenticate(jwt)), { timeout: 60_000 }).toBe('accepted');
  });

  it('signs nobody out whose key is known', async () => {
    const authenticator = await start({ ...patient, cooldownMs: 0 });
    provider.isDown = true;
    expect(await codeOf(authenticator.authenticate(await forged({ kid: 'new' })))).toBe('issuer_unavailable');
    expect(await codeOf(authenticator.authenticate(await provider.sign(sre)))).toBe('accepted');
  });

  it('is told of once in the log, and so is its return', async () => {
    provider.isDown = true;
    const lines: string[] = [];
    const told = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line).msg) });
    const issuer = new Issuer(provider.url, { logger: told, timing: { ...patient, retryMs: 10 } });
    onTestFinished(() => issuer.stop());
    await issuer.start();
    const askedBefore = provider.requests;
    await expect.poll(() => provider.requests, { timeout: 60_000 }).toBeGreaterThan(askedBefore + 3);
    provider.isDown = false;
    await expect.poll(() => lines, { timeout: 60_000 }).toHaveLength(2);
    expect(lines).toEqual([
      'the OpenID issuer cannot be used, nobody can sign in with it until it answers; API tokens work',
      'the issuer answers again',
    ]);
  });

  it('or is another one than it should be, is told in the log', async () => {
    const lines: string[] = [];
    const told = pino({ level: 'error' }, { write: (line) => void lines.push(line) });
    const issuer = new Issuer(`${provider.url}/`, { logger: told, timing: patient });
    await issuer.start();
    issuer.stop();
    expect(JSON.parse(lines[0]!)).toMatchObject({
      reason: `it calls itself "${provider.url}", the settings say "${provider.url}/"`,
      msg: 'the OpenID issuer cannot be used, nobody can sign in with it until it answers; API tokens work',
    });
  });
});

/** Signed by someone else. */
async function forged(header: { kid?: string }): Promise<string> {
  const { privateKey } = await forger;
  return new SignJWT({ iss: provider.url, aud: testAudience, sub: 'x', ...sre, exp: inSeconds(60) })
    .setProtectedHeader({ alg: 'RS256', ...header })
    .sign(privateKey);
}

const forger = generateKeyPair('RS256');
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The same token under another header. */
function withHeader(jwt: string, header: object): string {
  return jwt.replace(/^[^.]*/, encode({ kid: provider.keyId, ...header }));
}

/** The signature has 256 bytes, so that the last character stands for two bits and four that are not used. */
function writtenOtherwise(jwt: string): string {
  const last = { A: 'B', Q: 'R', g: 'h', w: 'x' }[jwt.at(-1) as string];
  return jwt.slice(0, -1) + last;
}
