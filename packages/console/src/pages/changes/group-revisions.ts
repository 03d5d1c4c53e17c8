import type { PastChange } from '@roster/client';
import { byNewest } from '../list/live/revision-order.ts';
import { turnOfChange } from '../list/live/view-changes.ts';

/** The changes that one revision made. */
export interface RevisionGroup {
  readonly revision: string;
  readonly changedAt: string;
  readonly changedBy: string | undefined;
  readonly changes: readonly PastChange[];
  readonly firing: number;
  readonly resolved: number;
  readonly suppressed: number;
}

/** The revisions of some changes, the newest first. */
export function groupRevisions(changes: readonly PastChange[]): RevisionGroup[] {
  const revisions = [...Map.groupBy(changes, ({ revision }) => revision)];
  return revisions
    .toSorted(([a], [b]) => byNewest(a, b))
    .map(([revision, some]) => {
      const turns = some.map(turnOfChange);
      return {
        revision,
        changedAt: some[0]!.changed_at,
        changedBy: some[0]!.changed_by,
        changes: some,
        firing: turns.filter((turn) => turn === 'firing').length,
        resolved: turns.filter((turn) => turn === 'resolved').length,
        suppressed: some.filter(({ fields }) => fields?.state?.after === 'ALERTSTATE_SUPPRESSED').length,
      };
    });
}

/** Revisions by the local day on which they were made. */
export function groupDays(groups: readonly RevisionGroup[]): { dayMs: number; groups: RevisionGroup[] }[] {
  const byDay = Map.groupBy(groups, ({ changedAt }) => new Date(changedAt).setHours(0, 0, 0, 0));
  return [...byDay].map(([dayMs, some]) => ({ dayMs, groups: some }));
}
