const two = (part: number) => String(part).padStart(2, '0');

/** The local time of day, such as `04:39:12`. */
export function formatClock(ms: number): string {
  const time = new Date(ms);
  return `${formatMinute(ms)}:${two(time.getSeconds())}`;
}

/** The local time of day without seconds. */
export function formatMinute(ms: number): string {
  const time = new Date(ms);
  return `${two(time.getHours())}:${two(time.getMinutes())}`;
}

/** The local day, such as `2026-11-17`. */
function formatDate(ms: number): string {
  const time = new Date(ms);
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}

/** A local time to the minute, such as `2026-11-17 04:39`. */
export function formatDayAndMinute(ms: number): string {
  return `${formatDate(ms)} ${formatMinute(ms)}`;
}

/** A local time, with the day unless it is that of another time. */
export function formatBeside(ms: number, otherMs: number, formatTimeOfDay = formatMinute): string {
  const time = formatTimeOfDay(ms);
  return formatDate(ms) === formatDate(otherMs) ? time : `${formatDate(ms)} ${time}`;
}

/** A local time as a field for times takes it. */
export function toLocalInput(ms: number): string {
  return `${formatDate(ms)}T${formatMinute(ms)}`;
}

/** The local day in words, such as `Tuesday, 17 November`. */
export function formatDay(ms: number, language: string): string {
  const parts = { weekday: 'long', month: 'long', day: 'numeric' } as const;
  return new Date(ms).toLocaleDateString(language, parts);
}

/** A moment by the clock on the wall and in UTC, such as `05:39 (04:39 UTC)`, with the day unless it is today. */
export function formatLocalAndUtc(iso: string, nowMs = Date.now()): string {
  const ms = Date.parse(iso);
  const isToday = formatDate(ms) === formatDate(nowMs);
  return `${isToday ? '' : `${formatDate(ms)} `}${formatMinute(ms)} (${iso.slice(11, 16)} UTC)`;
}

/** A time in full by the clock on the wall, with the time in UTC, such as `2026-11-17 05:39:12 (04:39:12 UTC)`. */
export function formatInFull(ms: number): string {
  const local = `${formatDate(ms)} ${formatClock(ms)}`;
  const utc = `${new Date(ms).toISOString().slice(11, 19)} UTC`;
  return formatZone(ms) === 'UTC' ? `${local} UTC` : `${local} (${utc})`;
}

/** A time in full, in UTC and as the clock on the wall has it. */
export function formatBoth(ms: number): string {
  const time = new Date(ms);
  const local = `${formatDate(ms)} ${formatClock(ms)}`;
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC\n${local} (${offsetOf(time)})`;
}

/** The local zone at a time, such as `Europe/Berlin, UTC+01:00`; `UTC` where it is that. */
export function formatZone(ms: number): string {
  const name = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const offset = offsetOf(new Date(ms));
  return name === 'UTC' ? name : `${name}, UTC${offset}`;
}

function offsetOf(time: Date): string {
  const minutes = -time.getTimezoneOffset();
  const hours = Math.floor(Math.abs(minutes) / 60);
  return `${minutes < 0 ? '−' : '+'}${two(hours)}:${two(Math.abs(minutes) % 60)}`;
}
