import { parseScope, type Role } from '@roster/contract';
import { describe, expect, it } from 'vitest';
import { grantOfClaims } from './grant-of-claims.ts';
import type { ClaimRules } from './oidc-settings.ts';

const acme = parseScope('subscriptions/acme/**');
const lab = parseScope('subscriptions/lab/**');
const rules: ClaimRules = {
  roleClaim: 'groups',
  roles: new Map<string, Role>([
    ['ops', 'admin'],
    ['dev', 'writer'],
    ['all', 'reader'],
  ]),
  scopeClaim: 'groups',
  scopes: new Map([
    ['ops', [acme, lab]],
    ['dev', [lab]],
    ['all', [lab]],
  ]),
};

describe('the claims of a token', () => {
  it.each([
    [{ groups: ['dev'] }, 'writer', [lab]],
    [{ groups: ['all', 'ops', 'dev', 'other'] }, 'admin', [lab, acme]],
    [{ groups: 'dev' }, 'writer', [lab]],
    [{ groups: 'other dev all' }, 'writer', [lab]],
  ])('%j give %s', (claims, role, scopes) => {
    const grant = grantOfClaims(claims, rules);
    expect(grant?.role).toBe(role);
    expect(new Set(grant?.scopes)).toEqual(new Set(scopes));
  });

  it.each([
    [{}],
    [{ groups: [] }],
    [{ groups: '' }],
    [{ groups: ['other', 7, null, ['ops']] }],
    [{ groups: { ops: true } }],
    [{ groups: null }],
    [{ groups: 'DEV' }],
  ])('%j give nothing', (claims) => {
    expect(grantOfClaims(claims, rules)).toBeUndefined();
  });

  it('are found by a path, or by a name that has dots', () => {
    const nested = { ...rules, roleClaim: 'realm_access.roles', scopeClaim: 'https://example.com/groups' };
    const claims = { realm_access: { roles: ['dev'] }, 'https://example.com/groups': ['dev'] };
    expect(grantOfClaims(claims, nested)).toEqual({ role: 'writer', scopes: [lab] });
    for (const realm_access of [undefined, null, 'roles', { roles: {} }, []]) {
      expect(grantOfClaims({ ...claims, realm_access }, nested)).toBeUndefined();
    }
  });

  it('are never found in what every object has', () => {
    for (const roleClaim of ['constructor.name', '__proto__', 'groups.length'])
      expect(grantOfClaims({ groups: ['dev'] }, { ...rules, roleClaim })).toBeUndefined();
  });

  it('may be scopes themselves, among values that are none', () => {
    const own = { ...rules, scopeClaim: 'stations', scopes: undefined };
    const claims = { groups: 'all', stations: ['acme/**', 'nonsense', '*', 'subscriptions/lab/**'] };
    expect(grantOfClaims(claims, own)).toEqual({ role: 'reader', scopes: [acme, lab] });
    expect(grantOfClaims({ ...claims, stations: ['*'] }, own)).toBeUndefined();
  });

  it('can be given to everyone, with more for some', () => {
    const open: ClaimRules = {
      ...rules,
      roles: new Map<string, Role>([
        ['*', 'reader'],
        ['ops', 'admin'],
      ]),
      scopes: new Map([
        ['*', [lab]],
        ['ops', [acme]],
      ]),
    };
    expect(grantOfClaims({}, open)).toEqual({ role: 'reader', scopes: [lab] });
    expect(grantOfClaims({ groups: ['ops'] }, open)).toEqual({ role: 'admin', scopes: [acme, lab] });
  });
});
