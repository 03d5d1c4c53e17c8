import type { TrendPoint, Trends } from '@roster/client';
import { stepMsOf } from './trend-ranges.ts';

/** What the page shows of the station besides its trends. */
export interface KnownNow {
  /** Of the resources that match the filters of the page: a part of the station, so the least there are. */
  readonly states: Readonly<Record<string, number>>;
  /** When it was read. */
  readonly atMs: number;
}

/** The trends, which the server samples once a minute, with no lower peak than what the page shows beside them. */
export function withNow({ step, points }: Trends, now: KnownNow | undefined): Trends {
  const last = points.at(-1);
  if (last === undefined || now === undefined || !isWithin(last, step, now.atMs)) return { step, points };
  if (last.peaks === null) return { step, points };
  return { step, points: points.with(-1, { ...last, peaks: mostOf(last.peaks, now.states) }) };
}

function isWithin({ time }: TrendPoint, step: Trends['step'], atMs: number): boolean {
  const fromMs = Date.parse(time);
  return atMs >= fromMs && atMs < fromMs + stepMsOf(step);
}

function mostOf(a: KnownNow['states'], b: KnownNow['states']): Record<string, number> {
  const states = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries([...states].map((state) => [state, Math.max(a[state] ?? 0, b[state] ?? 0)]));
}
