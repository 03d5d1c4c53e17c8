import { expect, it } from 'vitest';
import { RefusedShare } from './refused-share.ts';

function observed(share: RefusedShare, ...strains: number[]): number {
  for (const strain of strains) share.observe(strain);
  return share.value;
}

it('turns nothing away for one long pause, or for several that are not in a row', () => {
  expect(observed(new RefusedShare(), 0.1, 50, 0.1, 0.1)).toBe(0);
  expect(observed(new RefusedShare(), 2, 2, 2, 0.1, 2, 2, 2, 0.1)).toBe(0);
});

it('turns away more and more while the strain lasts, but never everything', () => {
  const share = new RefusedShare();
  expect(observed(share, 2, 2, 2, 2)).toBeCloseTo(0.1);
  expect(observed(share, 2)).toBeCloseTo(0.2);
  for (let window = 0; window < 100; window++) share.observe(50);
  expect(share.value).toBeLessThan(1);
  expect(share.value).toBeGreaterThan(0.95);
});

it('stays where it is while the strain is neither high nor low', () => {
  const share = new RefusedShare();
  const before = observed(share, 2, 2, 2, 2, 2);
  expect(observed(share, 0.7, 0.6, 0.9)).toBe(before);
});

it('comes back to nothing within a dozen easy windows', () => {
  const share = new RefusedShare();
  for (let window = 0; window < 100; window++) share.observe(50);
  for (let window = 0; window < 12; window++) share.observe(0.1);
  expect(share.value).toBe(0);
});
