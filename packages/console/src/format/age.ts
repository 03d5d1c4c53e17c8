export type Age =
  | { readonly unit: 'now' }
  | { readonly unit: 'minutes' | 'hours' | 'days'; readonly count: number };

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** How long ago a time was, in its largest unit. Hours go up to two days, where they say more than `1 d`. */
export function ageOf(time: string, nowMs: number): Age {
  const ms = nowMs - Date.parse(time);
  if (ms >= 2 * dayMs) return { unit: 'days', count: Math.floor(ms / dayMs) };
  if (ms >= hourMs) return { unit: 'hours', count: Math.floor(ms / hourMs) };
  if (ms >= minuteMs) return { unit: 'minutes', count: Math.floor(ms / minuteMs) };
  return { unit: 'now' };
}
