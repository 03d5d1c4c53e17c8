import type { StationClient, Trends } from '@roster/client';
import { queryOptions } from '@tanstack/react-query';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** How far back the trends go, and in which steps. */
export const trendRanges = {
  '24h': { spanMs: dayMs, step: 'hour' },
  '7d': { spanMs: 7 * dayMs, step: 'hour' },
  '30d': { spanMs: 30 * dayMs, step: 'day' },
  '1y': { spanMs: 365 * dayMs, step: 'day' },
} as const;

export type TrendRange = keyof typeof trendRanges;

export function isTrendRange(text: string | undefined): text is TrendRange {
  return text !== undefined && Object.hasOwn(trendRanges, text);
}

export function stepMsOf(step: Trends['step']): number {
  return step === 'hour' ? hourMs : dayMs;
}

/** Up to now; the server looks at its stations once a minute. */
export function trendsQuery(station: StationClient, range: TrendRange) {
  const { spanMs, step } = trendRanges[range];
  return queryOptions({
    queryKey: ['trends', station.path, range],
    queryFn: ({ signal }) =>
      station.manage.trends({ after: new Date(Date.now() - spanMs), step }, { signal }),
    staleTime: 30_000,
    refetchInterval: 60_000,
  });
}
