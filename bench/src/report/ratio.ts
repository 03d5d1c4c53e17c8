import { likelyMedian, median } from './statistics.ts';

/** How one server did beside another: the median over the rounds, and where it would lie with many more of them. */
export interface Ratio {
  readonly value: number;
  /** Undefined when there were too few rounds to tell. */
  readonly likely: readonly [low: number, high: number] | undefined;
}

/** Compares within each round, so that a slow minute does not show. */
export function compareRounds(rates: readonly number[], beside: readonly number[]): Ratio {
  const ratios = rates.map((rate, round) => rate / beside[round]!);
  return { value: median(ratios), likely: likelyMedian(ratios) };
}

/** The rounds may leave it open on which side of its target a ratio is; there is a question mark then. */
export type Verdict = 'pass' | 'pass?' | 'MISS?' | 'MISS';

export function verdictOn({ value, likely }: Ratio, target: number): Verdict {
  const [low, high] = likely ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  if (value >= target) return low >= target ? 'pass' : 'pass?';
  return high >= target ? 'MISS?' : 'MISS';
}

export function isOpen(verdict: Verdict): boolean {
  return verdict.endsWith('?');
}

export function formatLikely({ likely }: Ratio): string {
  return likely?.map((bound) => bound.toFixed(2)).join('–') ?? 'unknown';
}
