import type { AccessRates } from '../findings.ts';
import { formatSize } from '../format-size.ts';
import { targets } from '../targets.ts';
import { type Figure, ratioAtLeast, withTarget } from './figure.ts';
import { compareRounds, formatLikely } from './ratio.ts';

/** The rate of lists with tokens, relative to the rate without. */
export function accessFigure({ case: name, size, withoutAccess, withAccess }: AccessRates): Figure {
  const ratio = compareRounds(withAccess, withoutAccess);
  const figure = {
    name: `${name} at ${formatSize(size)} with tokens, over without`,
    value: ratio.value,
    text: `${ratio.value.toFixed(2)}  (likely ${formatLikely(ratio)})`,
  };
  return withTarget(figure, ratioAtLeast(targets.withAccess, ratio));
}
