/** From a time on, up to another that is not part of it. Without an end it goes up to now, without a start to the oldest. */
export interface TimeRange {
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

/** Ranges that move with the clock. */
export const rangeNames = ['1h', 'night', '24h'] as const;
export type RangeName = (typeof rangeNames)[number];

/** Whether it has a beginning and an end, and has ended. */
export function isPast({ fromMs, toMs }: TimeRange, nowMs: number): boolean {
  return fromMs !== undefined && toMs !== undefined && toMs < nowMs;
}

/** As much time right before it (-1) or after it (1). */
export function shifted({ fromMs = 0, toMs = 0 }: TimeRange, steps: number): TimeRange {
  const byMs = steps * (toMs - fromMs);
  return { fromMs: fromMs + byMs, toMs: toMs + byMs };
}

const hourMs = 3_600_000;
const nightBegins = 18;
const nightEnds = 8;

/** A night goes from 18:00 to 08:00 by the clock on the wall. Before 08:00 it is the one that has not ended. */
export function rangeOf(name: RangeName, nowMs: number): TimeRange {
  if (name === '1h') return { fromMs: nowMs - hourMs };
  if (name === '24h') return { fromMs: nowMs - 24 * hourMs };
  const now = new Date(nowMs);
  const at = (day: number, hour: number) => new Date(now.getFullYear(), now.getMonth(), day, hour).getTime();
  return { fromMs: at(now.getDate() - 1, nightBegins), toMs: at(now.getDate(), nightEnds) };
}
