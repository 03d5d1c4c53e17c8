import type { Arguments } from './arguments.ts';
import { UsageError } from './errors.ts';

const unitsMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** What texts of times may look like, for help. */
export const timeForms = 'a time, a date (UTC), or how long ago, such as 2h';

const ago = /^([0-9]{1,6})([smhd])$/;

export function isHowLongAgo(text: string): boolean {
  return ago.test(text);
}

/** A time with its zone, a date, which begins at midnight UTC, or how long ago. */
export function readTime(given: Arguments, flag: string): Date | undefined {
  const text = given.text(flag);
  if (text === undefined) return undefined;
  const [, count, unit] = ago.exec(text) ?? [];
  if (count !== undefined) return new Date(Date.now() - Number(count) * unitsMs[unit!]!);
  const time = parseTime(text);
  if (time !== undefined) return time;
  const hint = /^[0-9-]+[Tt ][0-9:.]+$/.test(text) ? '; add a time zone, such as Z' : '';
  throw new UsageError(
    `--${flag} must be a time, a date or how long ago in s, m, h or d, such as 2026-01-31T08:00:00Z, ` +
      `2026-01-31 or 15m, got ${JSON.stringify(text)}${hint}`,
  );
}

/** The times of two flags, of which the first must be earlier. */
export function readTimeRange(
  given: Arguments,
  [after, before]: readonly [string, string],
): readonly [Date | undefined, Date | undefined] {
  const [start, end] = [readTime(given, after), readTime(given, before)];
  if (start !== undefined && end !== undefined && start >= end)
    throw new UsageError(`--${after} must be earlier than --${before}`);
  return [start, end];
}

/** A time with its zone, or a date; undefined for other texts. */
export function parseTime(text: string): Date | undefined {
  const [, year, month, day] =
    /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:\d\d))?$/.exec(text) ?? [];
  const time = new Date(text.toUpperCase());
  if (day === undefined || Number.isNaN(time.getTime())) return undefined;
  // `Date` takes February 30 for March 2.
  const isDay = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day);
  return isDay ? time : undefined;
}
