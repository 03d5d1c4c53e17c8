import { parseDuration } from '../access/duration.ts';

/** The parameters of a view that may be relative times. */
export const timeNames = [
  'created_after',
  'created_before',
  'state_since_after',
  'state_since_before',
] as const;

const relativeTime = /(?<=^|&)((?:created|state_since)_(?:after|before))=now-([0-9]{1,6}[smhd])(?=&|$)/g;

/**
 * The query of a view, in canonical form, with times such as `now-1h` as they are at `nowMs`. In whole minutes: until
 * the next one, the same query gives the same text.
 */
export function resolveTimes(query: string, nowMs: number): string {
  const minuteMs = Math.floor(nowMs / 60_000) * 60_000;
  return query.replace(relativeTime, (_, name: string, ago: string) => {
    const timeMs = Math.max(0, minuteMs - parseDuration(ago)!);
    return `${name}=${new Date(timeMs).toISOString()}`;
  });
}
