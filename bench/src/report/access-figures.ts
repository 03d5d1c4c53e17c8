import { formatSize } from '../format-size.ts';
import type { AccessRates } from '../measure/measure-access.ts';
import { type Figure, ratioAtLeast, withTarget } from './figure.ts';
import { compareRounds, formatLikely } from './ratio.ts';
import { targets } from './targets.ts';

/** What is left of the rate of lists when every request shows a token. */
export function accessFigure({ case: name, size, withoutAccess, withAccess }: AccessRates): Figure {
  const ratio = compareRounds(withAccess, withoutAccess);
  const figure = {
    name: `${name} at ${formatSize(size)} with tokens, over without`,
    value: ratio.value,
    text: `${ratio.value.toFixed(2)}  (likely ${formatLikely(ratio)})`,
  };
  return withTarget(figure, ratioAtLeast(targets.withAccess, ratio));
}
