import { describe, expect, it } from 'vitest';
import { parseNewSession } from './parse-new-session.ts';
import { parseNewToken } from './parse-new-token.ts';

const token = { name: 'nightly import', role: 'writer', scopes: ['acme/**'] };

describe('a new token', () => {
  it('has a name, a role, scopes in the long form, and a life if it is given', () => {
    const { scopes, ...rest } = parseNewToken({ ...token, name: ' nightly import ', expires_in: '12h' });
    expect(rest).toEqual({ name: 'nightly import', role: 'writer', lifeMs: 12 * 3_600_000 });
    expect(scopes.map(({ text }) => text)).toEqual(['subscriptions/acme/**']);
    expect(parseNewToken(token).lifeMs).toBeUndefined();
    expect(parseNewToken({ ...token, expires_in: null }).lifeMs).toBeNull();
  });

  it('has each scope once, however it was written', () => {
    const { scopes } = parseNewToken({ ...token, scopes: ['acme/**', 'subscriptions/acme/**', '**'] });
    expect(scopes.map(({ text }) => text)).toEqual(['subscriptions/acme/**', '**']);
  });

  it('may be for stations with the longest names', () => {
    const scopes = [Array(4).fill('é'.repeat(256)).join('/')];
    expect(parseNewToken({ ...token, scopes }).scopes).toHaveLength(1);
  });

  it.each([
    [{ name: '' }, /name must say/],
    [{ name: undefined }, /name must say/],
    [{ name: 'a\u0000b' }, /name must not contain control/],
    [{ name: 'a'.repeat(201) }, /name may have at most 200/],
    [{ name: `old roster_${'a'.repeat(49)}` }, /name must not hold a token/],
    [{ role: 'root' }, /role must be one of reader, writer, admin, source, got "root"/],
    [{ role: undefined }, /role must be one of/],
    [{ scopes: [] }, /scopes must be a list of 1 to 100/],
    [{ scopes: 'acme/**' }, /scopes must be a list/],
    [{ scopes: Array(101).fill('**') }, /scopes must be a list/],
    [
      { scopes: [`acme/${'g'.repeat(257)}/**`] },
      /the scope "acme\/g+…" has a name of more than 256 characters/,
    ],
    [{ scopes: ['acme'] }, /the scope "acme" must name/],
    [{ scopes: [7] }, /the scope "7" must name/],
    [{ expires_in: '0d' }, /expires_in must be a duration/],
    [{ expires_in: '3651d' }, /at most 3650 days/],
    [{ expires_in: 90 }, /expires_in must be a duration/],
    [{ expires: '90d' }, /did you mean "expires_in"/],
  ])('cannot be made with %j', (given, message) => {
    expect(() => parseNewToken({ ...token, ...given })).toThrow(message);
  });

  it('reports all errors at once', () => {
    expect(() => parseNewToken({})).toThrow(/name.*; role.*; scopes/);
    expect(() => parseNewToken([])).toThrow(/must be a JSON object/);
  });
});

describe('a new session', () => {
  it('takes a token, and never repeats it in a message', () => {
    expect(parseNewSession({ token: ' roster_x\n' })).toBe('roster_x');
    expect(() => parseNewSession({ token: '' })).toThrow(/token is not a valid token/);
    for (const token of ['a.b.c\n.d', 'a b', 'a;b', 'a,b', 'é', 7, null]) {
      expect(() => parseNewSession({ token })).toThrow(/token is not a valid token/);
    }
    expect(() => parseNewSession({ token: 'a'.repeat(4001) })).toThrow(/at most 4000 characters, got 4001/);
    expect(() => parseNewSession({ tokens: 'roster_x' })).toThrow(/did you mean "token"/);
    expect(() => parseNewSession({ tokens: 'roster_x' })).not.toThrow(/roster_x/);
  });
});
