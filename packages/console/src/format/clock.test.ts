import { expect, it } from 'vitest';
import { formatBoth, formatClock, formatMinute } from './clock.ts';

const ms = new Date(2026, 10, 17, 4, 9, 5).getTime();

it('shows the time of day as the clock on the wall does', () => {
  expect(formatClock(ms)).toBe('04:09:05');
  expect(formatMinute(ms)).toBe('04:09');
});

it('shows a time in UTC and in the local zone', () => {
  expect(formatBoth(Date.UTC(2026, 10, 17, 4, 9, 5))).toMatch(
    /^2026-11-17 04:09:05 UTC\n\d{4}-\d{2}-\d{2} \d{2}:\d{2}:05 \([+−]\d{2}:\d{2}\)$/,
  );
});
