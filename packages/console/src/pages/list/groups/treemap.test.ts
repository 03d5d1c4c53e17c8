import fc from 'fast-check';
import { expect, it } from 'vitest';
import { squarify } from './treemap.ts';

const box = { x: 0, y: 0, width: 600, height: 200 };

it('fills the box with areas in proportion, inside it', () => {
  const weights = fc
    .array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 60 })
    .map((some) => some.toSorted((a, b) => b - a));
  fc.assert(
    fc.property(weights, (given) => {
      const sum = given.reduce((total, each) => total + each, 0);
      const tiles = squarify(given, box);
      expect(tiles).toHaveLength(given.length);
      for (const [at, { x, y, width, height }] of tiles.entries()) {
        expect(width * height).toBeCloseTo((given[at]! / sum) * box.width * box.height, 3);
        expect(Math.min(x, y)).toBeGreaterThanOrEqual(-0.001);
        expect(x + width).toBeLessThanOrEqual(box.width + 0.001);
        expect(y + height).toBeLessThanOrEqual(box.height + 0.001);
      }
    }),
  );
});

it('has nothing to show for nothing', () => {
  expect(squarify([], box)).toEqual([]);
  expect(squarify([0, 0], box)).toEqual([]);
});
