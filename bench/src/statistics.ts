import type { LatencySummary } from './findings.ts';

/** The middle of the values; of two middles, their mean. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The smallest value that at least `share` of the values do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
}

const certainty = 0.9;

/** The fewest values that give a confidence interval. */
export const leastForLikely = 5;

/**
 * The distribution-free 90 % confidence interval of the median: drops as many values at both ends as possible.
 * Undefined with too few values.
 */
export function likelyMedian(values: readonly number[]): [low: number, high: number] | undefined {
  if (values.length < leastForLikely) return undefined;
  const sorted = values.toSorted((a, b) => a - b);
  const count = sorted.length;
  let leftOut = 0;
  // The probability that at most `leftOut` values fall on one given side of the median.
  let chance = 0.5 ** count;
  let chanceOfOneMore = chance;
  while (2 * leftOut + 2 < count) {
    chanceOfOneMore *= (count - leftOut) / (leftOut + 1);
    if (2 * (chance + chanceOfOneMore) > 1 - certainty) break;
    chance += chanceOfOneMore;
    leftOut++;
  }
  return [sorted[leftOut]!, sorted[count - 1 - leftOut]!];
}

export function summariseLatency(timesMs: readonly number[]): LatencySummary {
  return {
    requests: timesMs.length,
    p50Ms: percentile(timesMs, 0.5),
    p99Ms: percentile(timesMs, 0.99),
    maxMs: percentile(timesMs, 1),
  };
}
