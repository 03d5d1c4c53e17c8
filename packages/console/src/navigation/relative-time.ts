import type { ListFilters } from './filter-parameters.ts';

const units = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const members = ['createdAfter', 'createdBefore', 'stateSinceAfter', 'stateSinceBefore'] as const;

/** What `now-90m` leaves of now. */
export interface RelativeTime {
  readonly count: number;
  readonly unit: keyof typeof units;
}

/** Undefined if it is another text. */
export function parseRelative(text: string): RelativeTime | undefined {
  const match = /^now-(\d{1,6})([smhd])$/.exec(text);
  return match === null ? undefined : { count: Number(match[1]), unit: match[2] as keyof typeof units };
}

/** The filters with times that the server understands. The same object if they were so before. */
export function resolveTimes(filters: ListFilters, nowMs: number): ListFilters {
  const resolved = members.flatMap((member) => {
    const relative = parseRelative(String(filters[member] ?? ''));
    if (relative === undefined) return [];
    return [[member, new Date(nowMs - relative.count * units[relative.unit]).toISOString()]];
  });
  return resolved.length === 0 ? filters : { ...filters, ...Object.fromEntries(resolved) };
}

/** Filters in which the times that were resolved are as they were given. */
export function restoreTimes(filters: ListFilters, given: ListFilters, resolved: ListFilters): ListFilters {
  const kept = members.filter(
    (member) => filters[member] !== undefined && filters[member] === resolved[member],
  );
  return { ...filters, ...Object.fromEntries(kept.map((member) => [member, given[member]])) };
}
