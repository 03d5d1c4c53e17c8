import { expect, it } from 'vitest';
import {
  formatBeside,
  formatBoth,
  formatClock,
  formatDay,
  formatDayAndMinute,
  formatInFull,
  formatMinute,
  formatZone,
  toLocalInput,
} from './clock.ts';

const ms = new Date(2026, 10, 17, 4, 9, 5).getTime();

it('shows the time of day as the clock on the wall does', () => {
  expect(formatClock(ms)).toBe('04:09:05');
  expect(formatMinute(ms)).toBe('04:09');
});

it('shows a day and a minute of it, for people and for a field', () => {
  expect(formatDayAndMinute(ms)).toBe('2026-11-17 04:09');
  expect(Date.parse(toLocalInput(ms))).toBe(ms - 5_000);
  expect([formatDay(ms, 'en'), formatDay(ms, 'zh')]).toEqual(['Tuesday, November 17', '11月17日星期二']);
});

it('names the day of a time unless it is the same', () => {
  const midnight = new Date(2026, 10, 17).getTime();
  expect(formatBeside(midnight, ms)).toBe('00:00');
  expect(formatBeside(midnight - 60_000, ms)).toBe('2026-11-16 23:59');
  expect(formatBeside(midnight - 1_000, ms, formatClock)).toBe('2026-11-16 23:59:59');
});

it('shows a time in UTC and in the local zone', () => {
  expect(formatBoth(Date.UTC(2026, 10, 17, 4, 9, 5))).toMatch(
    /^2026-11-17 04:09:05 UTC\n\d{4}-\d{2}-\d{2} \d{2}:\d{2}:05 \([+−]\d{2}:\d{2}\)$/,
  );
});

it('shows a time in full with what it is in UTC', () => {
  expect(formatInFull(Date.UTC(2026, 10, 17, 4, 9, 5))).toMatch(
    /^2026-11-1[678] \d\d:\d\d:05 (UTC|\(04:09:05 UTC\))$/,
  );
});

it('names the local zone', () => {
  expect(formatZone(ms)).toMatch(/^(UTC|\S+, UTC[+−]\d{2}:\d{2})$/);
});
