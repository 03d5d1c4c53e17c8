import type { Resource, StationAddress } from '@roster/contract';
import type { Head, StationCounts } from '@roster/engine/port';

export interface StationRow {
  readonly id: number;
  readonly head: Head;
  /** All changes after this revision are known. */
  readonly oldestRevision: number;
  readonly counts: StationCounts;
}

/** The columns of a `StoredStation`. */
export const stationColumns = 'id, epoch, revision, rev_id, oldest_revision, counts';

export interface StoredStation {
  readonly id: number;
  readonly epoch: string;
  readonly revision: number;
  readonly rev_id: string;
  readonly oldest_revision: number;
  /** SQLite has no JSON type. */
  readonly counts: StationCounts | string;
}

export function toStation({
  id,
  epoch,
  revision,
  rev_id,
  oldest_revision,
  counts,
}: StoredStation): StationRow {
  const head = { epoch, number: revision, revId: rev_id };
  return { id, head, oldestRevision: oldest_revision, counts: parseCounts(counts) };
}

/** A station whose revision a write has advanced. */
export interface AdvancedStation {
  readonly id: number;
  readonly head: Head;
  /** Its counts before this write. */
  readonly counts: StationCounts;
}

export function parseCounts(counts: StoredStation['counts']): StationCounts {
  return typeof counts === 'string' ? JSON.parse(counts) : counts;
}

/** In the order of `addressValues`, and of the parts of a scope. */
export const addressColumns = ['subscription', 'resource_group', 'zone', 'name'] as const;

export type StoredAddress = Readonly<Record<(typeof addressColumns)[number], string>>;

export function toAddress({ subscription, resource_group, zone, name }: StoredAddress): StationAddress {
  return { subscription, resourceGroup: resource_group, zone, name };
}

export function addressValues({ subscription, resourceGroup, zone, name }: StationAddress): string[] {
  return [subscription, resourceGroup, zone, name];
}

export const noCounts: StationCounts = { resources: 0, alertable: 0, uncovered: 0, byState: {} };

/** Counts of some resources, by state. */
export interface Tally {
  readonly state: string;
  readonly resources: number;
  readonly alertable: number;
  readonly uncovered: number;
}

export function tallyOf({ state, alertable, alertRulesCount }: Resource): Tally {
  const uncovered = alertable && alertRulesCount === 0;
  return { state, resources: 1, alertable: Number(alertable), uncovered: Number(uncovered) };
}

/** Selects the `Tally`s of the resources or past versions that `from` names. */
export function tallySql(from: string): string {
  return `
    SELECT state, count(*) AS resources, count(*) FILTER (WHERE alertable) AS alertable,
      count(*) FILTER (WHERE alertable AND alert_rules_count = 0) AS uncovered
    FROM ${from}
    GROUP BY state`;
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
