import type { TrendPoint, Trends } from '@roster/client';
import { formatMinute } from '../../../format/clock.ts';
import { stepMsOf } from './trend-ranges.ts';

/** Hours are shown in local time; days are those of UTC. */
const zoneOf = (step: Trends['step']) => (step === 'hour' ? {} : { timeZone: 'UTC' });

/** When a point begins, short enough for an axis. */
export function formatTick(point: TrendPoint, step: Trends['step'], language: string): string {
  const day = { month: 'short', day: 'numeric', ...zoneOf(step) } as const;
  return new Intl.DateTimeFormat(language, day).format(Date.parse(point.time));
}

/** The time from the first to the end of the last of some points. */
export function formatSpan(
  first: TrendPoint,
  last: TrendPoint,
  step: Trends['step'],
  language: string,
): string {
  const [fromMs, toMs] = [Date.parse(first.time), Date.parse(last.time) + stepMsOf(step)];
  const day = { weekday: 'short', month: 'short', day: 'numeric', ...zoneOf(step) } as const;
  const format = new Intl.DateTimeFormat(language, day);
  const from = format.format(fromMs);
  if (step === 'day') {
    const to = format.format(Date.parse(last.time));
    return from === to ? `${from} (UTC)` : `${from} – ${to} (UTC)`;
  }
  const to = format.format(toMs - 1);
  return `${from}, ${formatMinute(fromMs)}–${from === to ? '' : `${to}, `}${formatMinute(toMs)}`;
}
