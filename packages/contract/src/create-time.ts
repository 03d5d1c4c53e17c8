const rfc3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?([Zz]|([+-])(\d{2}):(\d{2}))?$/;

/**
 * An RFC 3339 time in UTC with a fraction, every given digit of which is kept.
 * Returns the reason instead when the text is no such time.
 */
export function normaliseCreateTime(text: string): { value: string } | { fault: string } {
  const match = rfc3339.exec(text);
  if (!match) return { fault: 'must be an RFC 3339 time such as 2026-01-31T08:00:00.000Z' };
  const [, year, month, day, hour, minute, second, fraction = '000', zone, sign, zoneHour, zoneMinute] =
    match;
  if (zone === undefined)
    return { fault: 'must have a time zone: end it with Z or an offset such as +08:00' };
  if (fraction.length > 9) return { fault: 'may have at most nine digits after the second' };
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) {
    return { fault: 'must be a time of day between 00:00:00 and 23:59:59' };
  }
  const local = Date.UTC(2000, 0, 1, Number(hour), Number(minute), Number(second));
  const date = new Date(local);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) {
    return { fault: `must be a date that exists, ${year}-${month}-${day} does not` };
  }
  if (sign !== undefined) {
    if (Number(zoneHour) > 23 || Number(zoneMinute) > 59) return { fault: 'must have an offset below 24:00' };
    const offsetMs = (Number(zoneHour) * 60 + Number(zoneMinute)) * 60_000;
    date.setTime(date.getTime() + (sign === '+' ? -offsetMs : offsetMs));
  }
  const seconds = date.toISOString().slice(0, -5);
  if (seconds.length !== 19) return { fault: 'must lie between the years 0000 and 9999 in UTC' };
  return { value: `${seconds}.${fraction}Z` };
}
