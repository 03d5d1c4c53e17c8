import type { Principal } from '@roster/client';

const days = { '1d': 1, '7d': 7, '30d': 30, '90d': 90, '365d': 365 } as const;
const dayMs = 86_400_000;

/** How long a token lives; `own` is as long as what its maker has signed in with. */
export type Life = keyof typeof days | 'never' | 'own';

/** What a maker can choose from, which is never more than they have themselves. */
export function livesFor(maker: Principal | null, nowMs: number): readonly Life[] {
  const all = Object.keys(days) as (keyof typeof days)[];
  if (!maker?.expires_at) return [...all, 'never'];
  const leftMs = Date.parse(maker.expires_at) - nowMs;
  return [...all.filter((life) => days[life] * dayMs <= leftMs), 'own'];
}
