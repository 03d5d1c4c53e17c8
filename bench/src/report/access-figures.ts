import { formatSize } from '../format-size.ts';
import type { AccessRates } from '../measure/measure-access.ts';
import { atLeast, type Figure, withTarget } from './figure.ts';
import { median } from './statistics.ts';
import { targets } from './targets.ts';

/** What is left of the rate of lists when every request shows a token. */
export function accessFigure({ case: name, size, withoutAccess, withAccess }: AccessRates): Figure {
  const ratios = withAccess.map((rate, round) => rate / withoutAccess[round]!);
  const value = median(ratios);
  const range = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2)).join('–');
  const figure = {
    name: `${name} at ${formatSize(size)} with tokens, over without`,
    value,
    text: `${value.toFixed(2)}  (rounds ${range})`,
  };
  return withTarget(figure, atLeast(targets.withAccess, value));
}
