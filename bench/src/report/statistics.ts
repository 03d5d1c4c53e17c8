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

/** Between the lowest and the highest of fewer values the median lies with less certainty. */
export const leastForLikely = 5;

/**
 * Where the median lies of all that the values were drawn from, with nine tenths certainty and whatever their
 * distribution: as many of them are left out at both ends as may be. Undefined when there are too few.
 */
export function likelyMedian(values: readonly number[]): [low: number, high: number] | undefined {
  if (values.length < leastForLikely) return undefined;
  const sorted = values.toSorted((a, b) => a - b);
  const count = sorted.length;
  let leftOut = 0;
  // How likely it is that no more than `leftOut` of the values fall on one given side of the median.
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
