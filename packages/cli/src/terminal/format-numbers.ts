/** 1204567 as `1 204 567`. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ' ');
}

const units = ['B', 'kB', 'MB', 'GB', 'TB'];

export function formatBytes(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const scaled = bytes / 1000 ** power;
  return `${power === 0 ? scaled : scaled.toFixed(1)} ${units[power]}`;
}

export function formatDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** `1 resource`, `2 resources`. */
export function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** A percentage that shows 0 or 100 only if it is exact. */
export function formatShare(part: number, whole: number): string {
  if (whole === 0) return '–';
  const exact = (part / whole) * 100;
  const rounded = Math.round(exact);
  if (rounded === 100 && part < whole) return '99 %';
  return rounded === 0 && part > 0 ? '1 %' : `${rounded} %`;
}

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar of at most `width` characters; never empty for a positive part. */
export function renderBar(part: number, whole: number, width: number): string {
  if (part <= 0 || whole <= 0) return '';
  const steps = Math.max(1, Math.round((part / whole) * width * 8));
  return '█'.repeat(Math.floor(steps / 8)) + eighths[steps % 8];
}

const ageUnits = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const;

/** How long ago, as Kubernetes shows it: 12d, 5h, 3m, 0s. */
export function formatAge(ms: number): string {
  for (const [unit, unitMs] of ageUnits) if (ms >= 2 * unitMs) return `${Math.floor(ms / unitMs)}${unit}`;
  return `${Math.max(0, Math.floor(ms / 1000))}s`;
}

/** A time of the API to the second, in UTC. */
export function showTime(time: string): string {
  return time.slice(0, 19).replace('T', ' ');
}

/** A time of the API to the minute, in UTC, with the date unless it is today. */
export function showClock(time: string): string {
  const [date, clock] = time.slice(0, 16).split('T');
  return new Date().toISOString().startsWith(date!) ? clock! : `${date} ${clock}`;
}
