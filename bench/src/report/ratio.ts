import { likelyMedian, median } from '../statistics.ts';

/** One server relative to another: the median over the rounds, with its confidence interval. */
export interface Ratio {
  readonly value: number;
  /** Undefined with too few rounds. */
  readonly likely: readonly [low: number, high: number] | undefined;
}

/** Compares within each round, which hides a slow minute. */
export function compareRounds(rates: readonly number[], beside: readonly number[]): Ratio {
  const ratios = rates.map((rate, round) => rate / beside[round]!);
  return { value: median(ratios), likely: likelyMedian(ratios) };
}

/** Shown with a question mark if the rounds do not settle on which side of its target a ratio lies. */
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
