const dayMs = 86_400_000;
const maxKnownDays = 4096;
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
const knownDays = new Map<number, string>();

/**
 * `new Date(ms).toISOString()` in a tenth of its time, which exports and searches spend on every resource. Times are
 * whole milliseconds.
 */
export function isoTime(ms: number): string {
  const day = Math.floor(ms / dayMs);
  const ofDay = ms - day * dayMs;
  const hour = twoDigits[Math.floor(ofDay / 3_600_000)];
  const minute = twoDigits[Math.floor(ofDay / 60_000) % 60];
  const second = twoDigits[Math.floor(ofDay / 1000) % 60];
  const rest = ofDay % 1000;
  return `${dateOf(day)}${hour}:${minute}:${second}.${rest < 100 ? '0' : ''}${rest < 10 ? '0' : ''}${rest}Z`;
}

/** `2026-01-31T` */
function dateOf(day: number): string {
  const known = knownDays.get(day);
  if (known !== undefined) return known;
  if (knownDays.size >= maxKnownDays) knownDays.clear();
  const iso = new Date(day * dayMs).toISOString();
  const date = iso.slice(0, iso.indexOf('T') + 1);
  knownDays.set(day, date);
  return date;
}
