import { sharedOwner, tokenOwner } from '@roster/engine';
import { expect, it } from 'vitest';
import { anonymousAdmin } from '../../http/principal.ts';
import { viewOwner } from './view-owner.ts';

it('is the same for the same principal, and different for any two', () => {
  const ids = ['a', 'anonymous', sharedOwner, tokenOwner('a'), 'oidc:a', '\0', '\ud800', 'x'.repeat(16_000)];
  const owners = [
    sharedOwner,
    viewOwner(anonymousAdmin),
    ...ids.map((id) => viewOwner({ ...anonymousAdmin, kind: 'oidc', id })),
    viewOwner({ ...anonymousAdmin, kind: 'token', id: 'a' }),
  ];
  expect(new Set(owners).size).toBe(owners.length);
  expect(owners.at(-1)).toBe(tokenOwner('a'));
  expect(Math.max(...owners.map(({ length }) => length))).toBeLessThan(100);
  expect(viewOwner({ ...anonymousAdmin, kind: 'oidc', id: 'a' })).toBe(owners[2]);
});
