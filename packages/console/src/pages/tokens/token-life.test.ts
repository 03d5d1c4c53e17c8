import { expect, it } from 'vitest';
import { livesFor } from './token-life.ts';

const maker = (expires_at: string | null) =>
  ({ name: 'ada', kind: 'oidc', role: 'admin', scopes: ['**'], expires_at }) as const;
const now = Date.parse('2026-01-01T00:00:00Z');

it('offers a token no longer life than its maker has', () => {
  expect(livesFor(null, now)).toEqual(['1d', '7d', '30d', '90d', '365d', 'never']);
  expect(livesFor(maker(null), now)).toContain('never');
  expect(livesFor(maker('2026-01-31T00:00:00Z'), now)).toEqual(['1d', '7d', '30d', 'own']);
  expect(livesFor(maker('2026-01-01T01:00:00Z'), now)).toEqual(['own']);
});
