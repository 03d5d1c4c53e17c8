import { expect, it } from 'vitest';
import { isPast, rangeOf, shifted } from './time-range.ts';

const local = (day: number, hour: number, minute = 0) => new Date(2026, 2, day, hour, minute).getTime();

it.each([
  ['in the morning', local(10, 9, 30), local(9, 18), local(10, 8)],
  ['late in the evening', local(10, 23), local(9, 18), local(10, 8)],
  ['during the night', local(10, 3), local(9, 18), local(10, 8)],
  ['on the first of a month', local(1, 12), new Date(2026, 1, 28, 18).getTime(), local(1, 8)],
])('finds last night %s', (_, now, fromMs, toMs) => {
  expect(rangeOf('night', now)).toEqual({ fromMs, toMs });
});

it('goes back an hour or a day, and up to whatever comes', () => {
  const now = local(10, 9);
  expect(rangeOf('1h', now)).toEqual({ fromMs: local(10, 8) });
  expect(rangeOf('24h', now)).toEqual({ fromMs: now - 86_400_000 });
});

it('moves back and on by its own length', () => {
  const range = { fromMs: 100, toMs: 160 };
  expect(shifted(range, -1)).toEqual({ fromMs: 40, toMs: 100 });
  expect(shifted(range, 1)).toEqual({ fromMs: 160, toMs: 220 });
  expect([isPast(range, 161), isPast(range, 160), isPast({ fromMs: 1 }, 9)]).toEqual([true, false, false]);
});
