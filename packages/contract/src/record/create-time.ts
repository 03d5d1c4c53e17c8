const rfc3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?([Zz]|([+-])(\d{2}):(\d{2}))?$/;
const alreadyNormal = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{1,9}Z$/;

export type NormalisedTime = { readonly value: string } | { readonly error: string };

/** Converts an RFC 3339 time to UTC and keeps every digit of its fraction. Returns an error for other texts. */
export function normaliseCreateTime(text: string): NormalisedTime {
  const error = calendarError(text);
  if (error !== undefined) return { error };
  return alreadyNormal.test(text) ? { value: text } : normalise(text);
}

/** Checks only the fixed positions of date and time; `normalise` checks the rest. */
function calendarError(text: string): string | undefined {
  const [year, month, day] = [numberAt(text, 0, 4), numberAt(text, 5, 2), numberAt(text, 8, 2)];
  const [hour, minute, second] = [numberAt(text, 11, 2), numberAt(text, 14, 2), numberAt(text, 17, 2)];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) {
    return `must be a real date, ${text.slice(0, 10)} does not exist`;
  }
  if (hour > 23 || minute > 59 || second > 59) return 'must be a time of day between 00:00:00 and 23:59:59';
  return undefined;
}

/** NaN if there are no digits, which passes every comparison. */
function numberAt(text: string, start: number, length: number): number {
  let value = 0;
  for (let at = start; at < start + length; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function normalise(text: string): NormalisedTime {
  const match = rfc3339.exec(text);
  if (!match) return { error: 'must be an RFC 3339 time such as 2026-01-31T08:00:00.000Z' };
  const [, year, month, day, hour, minute, second, fraction = '000', zone, sign, zoneHour, zoneMinute] =
    match;
  if (zone === undefined)
    return { error: 'must have a time zone: end it with Z or an offset such as +08:00' };
  if (fraction.length > 9) return { error: 'may have at most nine digits after the second' };
  if (Number(zoneHour ?? 0) > 23 || Number(zoneMinute ?? 0) > 59) {
    return { error: 'must have an offset below 24:00' };
  }
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const offsetMinutes = (Number(zoneHour ?? 0) * 60 + Number(zoneMinute ?? 0)) * (sign === '-' ? -1 : 1);
  date.setUTCHours(Number(hour), Number(minute) - offsetMinutes, Number(second));
  const seconds = date.toISOString().slice(0, -5);
  if (seconds.length !== 19) return { error: 'must lie between the years 0000 and 9999 in UTC' };
  return { value: `${seconds}.${fraction}Z` };
}
