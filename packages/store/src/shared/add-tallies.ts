import type { StationCounts } from '@roster/engine';

export const noCounts: StationCounts = { resources: 0, alertable: 0, uncovered: 0, byState: {} };

/** Counts of some resources, by state. */
export interface Tally {
  readonly state: string;
  readonly resources: number;
  readonly alertable: number;
  readonly uncovered: number;
}

export function addTallies(
  before: StationCounts,
  added: readonly Tally[],
  subtracted: readonly Tally[],
): StationCounts {
  let { resources, alertable, uncovered } = before;
  const byState = new Map(Object.entries(before.byState));
  const add = (sign: 1 | -1, each: Tally) => {
    resources += sign * each.resources;
    alertable += sign * each.alertable;
    uncovered += sign * each.uncovered;
    byState.set(each.state, (byState.get(each.state) ?? 0) + sign * each.resources);
  };
  for (const each of added) add(1, each);
  for (const each of subtracted) add(-1, each);
  const present = [...byState].filter(([, count]) => count > 0);
  return { resources, alertable, uncovered, byState: Object.fromEntries(present) };
}
