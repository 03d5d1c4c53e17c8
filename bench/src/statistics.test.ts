import { expect, test } from 'vitest';
import { SeededRandom } from '../../testing/seeded-random.ts';
import { likelyMedian, median } from './statistics.ts';

test('of two middles, the median is their mean', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
});

test.each([
  [5, 1, 5],
  [7, 1, 7],
  [8, 2, 7],
  [9, 2, 8],
  [27, 9, 19],
])('of %i values the likely median lies between number %i and number %i', (count, low, high) => {
  const values = Array.from({ length: count }, (_, at) => count - at);
  expect(likelyMedian(values)).toEqual([low, high]);
});

test.each([5, 8, 9, 27])('the true median lies there nine times of ten with %i values', (count) => {
  const random = new SeededRandom(count);
  let held = 0;
  for (let run = 0; run < 5000; run++) {
    const [low, high] = likelyMedian(Array.from({ length: count }, () => random.next() ** 3))!;
    if (low <= 0.125 && 0.125 <= high) held++;
  }
  expect(held / 5000).toBeGreaterThan(0.89);
});

test('four values are too few for an interval', () => {
  expect(likelyMedian([1, 2, 3, 4])).toBeUndefined();
});
