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

/** A time in full, in UTC and as the clock on the wall has it. */
export function formatBoth(ms: number): string {
  const time = new Date(ms);
  const local = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${formatClock(ms)}`;
  const offset = -time.getTimezoneOffset();
  const zone = `${offset < 0 ? '−' : '+'}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC\n${local} (${zone})`;
}
