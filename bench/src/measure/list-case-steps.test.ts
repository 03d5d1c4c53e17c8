import { expect, test } from 'vitest';
import { extremesLast } from './list-case-steps.ts';

test('the smallest and the largest size are measured next to each other, in changing order', () => {
  expect(extremesLast([10, 100, 1_000], 0)).toEqual([100, 10, 1_000]);
  expect(extremesLast([10, 100, 1_000], 1)).toEqual([100, 1_000, 10]);
  expect(extremesLast([10, 1_000], 2)).toEqual([10, 1_000]);
  expect(extremesLast([10], 3)).toEqual([10]);
});
