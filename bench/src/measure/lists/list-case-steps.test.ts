import { expect, test } from 'vitest';
import { orderOfSlices } from './list-case-steps.ts';

function order(sizes: string[], round: number): string {
  return orderOfSlices(sizes, round)
    .map(({ of, server }) => `${server} ${of}`)
    .join(', ');
}

test('what is compared is measured next to each other, in changing order', () => {
  expect(order(['10k', '100k', '1M'], 0)).toBe(
    'raw 100k, subject 100k, raw 10k, subject 10k, subject 1M, raw 1M',
  );
  expect(order(['10k', '100k', '1M'], 1)).toBe(
    'raw 1M, subject 1M, subject 10k, raw 10k, subject 100k, raw 100k',
  );
  expect(order(['10k', '1M'], 2)).toBe('raw 10k, subject 10k, subject 1M, raw 1M');
  expect(order(['1M'], 2)).toBe('raw 1M, subject 1M');
  expect(order(['1M'], 3)).toBe('subject 1M, raw 1M');
});
