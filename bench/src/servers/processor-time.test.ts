import { expect, it } from 'vitest';
import { parseProcessorTime, stolenShare } from './processor-time.ts';

it('returns the share of processor time given to others', () => {
  const before = parseProcessorTime('cpu  100 10 50 9000 30 1 4 20 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\n')!;
  expect(before).toEqual({ busy: 165, stolen: 20 });
  expect(stolenShare(before, { busy: 255, stolen: 30 })).toBe(0.1);
  expect(stolenShare(before, before)).toBe(0);
});

it('returns undefined without data from the system', () => {
  expect(parseProcessorTime('')).toBeUndefined();
  expect(parseProcessorTime('cpu  1 2 3 4\n')).toBeUndefined();
});
