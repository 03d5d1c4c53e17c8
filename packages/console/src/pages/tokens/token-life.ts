import type { Principal } from '@roster/client';

const days = { '1d': 1, '7d': 7, '30d': 30, '90d': 90, '365d': 365 } as const;
const dayMs = 86_400_000;

/** Lifetime of a token; `own` ends with the session of its creator. */
export type Life = keyof typeof days | 'never' | 'own';

/** The lifetimes to choose from, none longer than the creator's own. */
export function livesFor(maker: Principal | null, nowMs: number): readonly Life[] {
  const all = Object.keys(days) as (keyof typeof days)[];
  if (!maker?.expires_at) return [...all, 'never'];
  const leftMs = Date.parse(maker.expires_at) - nowMs;
  return [...all.filter((life) => days[life] * dayMs <= leftMs), 'own'];
}
