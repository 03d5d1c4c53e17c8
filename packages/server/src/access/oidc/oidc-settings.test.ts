import { describe, expect, it } from 'vitest';
import { readSettings } from '../../settings/read-settings.ts';
import { oidcSettingsOf } from './oidc-settings.ts';

const whole = {
  ROSTER_AUTH: 'on',
  ROSTER_OIDC_ISSUER: 'https://login.example.com/realms/ops',
  ROSTER_OIDC_AUDIENCE: 'roster, other',
  ROSTER_OIDC_ROLES: '/ops/admins=admin,*=reader',
  ROSTER_OIDC_SCOPES: '/ops/admins=**,*=acme/**',
};
const read = (given: Record<string, string>) => readSettings({ ...whole, ...given });

describe('the settings of an issuer', () => {
  it('are none unless one is named', () => {
    expect(oidcSettingsOf(readSettings({}))).toBeUndefined();
  });

  it('give roles and scopes by the values of a claim', () => {
    const settings = oidcSettingsOf(read({}))!;
    expect(settings).toMatchObject({ audiences: ['roster', 'other'], browser: undefined });
    expect(settings.claims).toMatchObject({ roleClaim: 'groups', scopeClaim: 'groups' });
    expect([...settings.claims.roles]).toEqual([
      ['/ops/admins', 'admin'],
      ['*', 'reader'],
    ]);
    expect(
      [...settings.claims.scopes!].map(([value, scopes]) => [value, scopes.map(({ text }) => text)]),
    ).toEqual([
      ['/ops/admins', ['**']],
      ['*', ['subscriptions/acme/**']],
    ]);
  });

  it('let browsers in by a client, whose id is an audience too', () => {
    const settings = oidcSettingsOf(
      read({ ROSTER_OIDC_CLIENT_ID: 'console', ROSTER_OIDC_CLIENT_SECRET: 's' }),
    )!;
    expect(settings.audiences).toContain('console');
    expect(settings.browser).toMatchObject({
      clientId: 'console',
      clientSecret: 's',
      name: 'single sign-on',
    });
  });

  it('take the values of a claim as scopes where it is named and no map is given', () => {
    const { claims } = oidcSettingsOf(read({ ROSTER_OIDC_SCOPES: '', ROSTER_OIDC_SCOPE_CLAIM: 'stations' }))!;
    expect(claims).toMatchObject({ scopeClaim: 'stations', scopes: undefined });
  });

  it('may be without TLS on this machine alone', () => {
    for (const issuer of ['http://127.0.0.1:9000', 'http://localhost/x', 'http://[::1]:9000']) {
      expect(read({ ROSTER_OIDC_ISSUER: issuer }).oidc.issuer).toBe(issuer);
    }
  });

  it.each([
    [{ ROSTER_OIDC_ISSUER: 'http://login.example.com' }, /ROSTER_OIDC_ISSUER must begin with https/],
    [{ ROSTER_OIDC_ISSUER: 'login.example.com' }, /ROSTER_OIDC_ISSUER must be a URL with https/],
    [{ ROSTER_OIDC_ISSUER: 'https://login.example.com/?a=b' }, /neither query nor fragment/],
    [{ ROSTER_OIDC_ALGORITHMS: 'RS256,HS256' }, /ROSTER_OIDC_ALGORITHMS must be some of RS256/],
    [{ ROSTER_OIDC_ALGORITHMS: 'none' }, /ROSTER_OIDC_ALGORITHMS must be/],
    [{ ROSTER_OIDC_ROLES: 'ops=root' }, /ROSTER_OIDC_ROLES must be values with a role each/],
    [{ ROSTER_OIDC_ROLES: '' }, /needs oidc.roles/],
    [{ ROSTER_OIDC_SCOPES: 'ops=nonsense' }, /ROSTER_OIDC_SCOPES is invalid: the scope "nonsense"/],
    [{ ROSTER_OIDC_SCOPES: '' }, /needs oidc.scopes or oidc.scopeClaim/],
    [{ ROSTER_OIDC_AUDIENCE: '' }, /needs oidc.audience or oidc.clientId/],
    [{ ROSTER_OIDC_REQUEST: 'profile' }, /ROSTER_OIDC_REQUEST must include openid/],
    [{ ROSTER_OIDC_ISSUER: '' }, /ROSTER_OIDC_AUDIENCE is set, but oidc.issuer is not/],
    [{ ROSTER_AUTH: 'off' }, /ROSTER_OIDC_ISSUER is set, but auth is off/],
  ])('are refused as %j', (given, error) => {
    expect(() => read(given)).toThrow(error);
  });
});
