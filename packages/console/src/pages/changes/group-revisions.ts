import type { PastChange } from '@roster/client';
import { stateTone } from '../../format/state.ts';
import { byNewest } from '../list/live/revision-order.ts';
import { turnOfChange } from '../list/live/view-changes.ts';

/** What a change comes to: the new state or, where the state stays, that the resource came or went. */
export type Outcome = (typeof outcomes)[number];

/** In the order in which they are shown. */
export const outcomes = [
  'firing',
  'pending',
  'other',
  'suppressed',
  'resolved',
  'inactive',
  'created',
  'removed',
] as const;

/** The changes that one revision made. */
export interface RevisionGroup {
  readonly revision: string;
  readonly changedAt: string;
  readonly changedBy: string | undefined;
  readonly changes: readonly PastChange[];
  readonly counts: Readonly<Partial<Record<Outcome, number>>>;
}

/** The revisions of some changes, the newest first. */
export function groupRevisions(changes: readonly PastChange[]): RevisionGroup[] {
  const revisions = [...Map.groupBy(changes, ({ revision }) => revision)];
  return revisions
    .toSorted(([a], [b]) => byNewest(a, b))
    .map(([revision, some]) => ({
      revision,
      changedAt: some[0]!.changed_at,
      changedBy: some[0]!.changed_by,
      changes: some,
      counts: countOutcomes(some),
    }));
}

function countOutcomes(changes: readonly PastChange[]): RevisionGroup['counts'] {
  const counts: Partial<Record<Outcome, number>> = {};
  for (const change of changes) {
    const outcome = outcomeOf(change);
    if (outcome !== undefined) counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

/** Undefined for an update that leaves the state as it is. */
function outcomeOf(past: PastChange): Outcome | undefined {
  const { change, resource, fields } = past;
  if (change === 'removed') return 'removed';
  if (change === 'updated' && fields?.state === undefined) return undefined;
  const tone = stateTone(resource.state);
  if (tone !== 'inactive') return tone;
  if (change === 'created') return 'created';
  return turnOfChange(past) === 'resolved' ? 'resolved' : 'inactive';
}

/** Revisions by the local day on which they were made. */
export function groupDays(groups: readonly RevisionGroup[]): { dayMs: number; groups: RevisionGroup[] }[] {
  const byDay = Map.groupBy(groups, ({ changedAt }) => new Date(changedAt).setHours(0, 0, 0, 0));
  return [...byDay].map(([dayMs, some]) => ({ dayMs, groups: some }));
}
