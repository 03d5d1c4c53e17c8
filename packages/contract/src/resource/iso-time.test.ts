import { expect, test } from 'vitest';
import { SeededRandom } from '../../../../testing/seeded-random.ts';
import { isoTime } from './iso-time.ts';

test('equals what Date makes of the same time', () => {
  const random = new SeededRandom(8);
  const edges = [0, -1, 999, 59_999, 86_399_999, 86_400_000, -62_167_219_200_000, 253_402_300_799_999];
  const times = Array.from({ length: 10_000 }, () => random.below(8_000_000_000_000) - 4_000_000_000_000);
  for (const ms of [...edges, ...times]) expect(isoTime(ms)).toBe(new Date(ms).toISOString());
});

test('refuses what is no time', () => {
  expect(() => isoTime(Number.NaN)).toThrow(RangeError);
  expect(() => isoTime(9e15)).toThrow(RangeError);
});
