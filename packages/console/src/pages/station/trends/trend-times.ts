import type { TrendPoint, Trends } from '@roster/client';
import { formatMinute } from '../../../format/clock.ts';
import { stepMsOf } from './trend-ranges.ts';

/** Hours are shown in local time; days are those of UTC. */
const zoneOf = (step: Trends['step']) => (step === 'hour' ? {} : { timeZone: 'UTC' });

/** Without the year, unless it is another one than now. */
const dayOf = (ms: number, step: Trends['step']) => {
  const isThisYear = new Date(ms).getUTCFullYear() === new Date().getUTCFullYear();
  const day = { month: 'short', day: 'numeric', ...zoneOf(step) } as const;
  return isThisYear ? day : ({ ...day, year: 'numeric' } as const);
};

/** When a point begins, short enough for an axis. */
export function formatTick(point: TrendPoint, step: Trends['step'], language: string): string {
  const ms = Date.parse(point.time);
  return new Intl.DateTimeFormat(language, dayOf(ms, step)).format(ms);
}

/** The time from the first to the end of the last of some points. */
export function formatSpan(
  first: TrendPoint,
  last: TrendPoint,
  step: Trends['step'],
  language: string,
): string {
  const [fromMs, toMs] = [Date.parse(first.time), Date.parse(last.time) + stepMsOf(step)];
  const format = (ms: number) =>
    new Intl.DateTimeFormat(language, { weekday: 'short', ...dayOf(ms, step) }).format(ms);
  const from = format(fromMs);
  if (step === 'day') {
    const to = format(Date.parse(last.time));
    return from === to ? `${from} (UTC)` : `${from} – ${to} (UTC)`;
  }
  const to = format(toMs - 1);
  return `${from}, ${formatMinute(fromMs)}–${from === to ? '' : `${to}, `}${formatMinute(toMs)}`;
}
