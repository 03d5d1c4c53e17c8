import { formatRevision, type HistoryPosition, quote, type Revision, RosterError } from '@roster/contract';
import type { Head, HistoryPage, HistoryQuery } from '@roster/engine';

/** The position of a change in a station's history. A removed and a new row may share an id. */
export interface ChangePosition {
  readonly revision: number;
  readonly id: number;
  readonly step: Step;
}

/** In their order within a revision. */
export const step = { remove: 0, put: 1 } as const;

type Step = (typeof step)[keyof typeof step];

const everything = { id: Number.MAX_SAFE_INTEGER, step: step.put };

/** The last change read by someone at this position. */
export function changePositionOf({ number, within }: HistoryPosition): ChangePosition {
  if (within === undefined) return { revision: number, ...everything };
  const match = /^([1-9][0-9]{0,15})-([01])$/.exec(within);
  if (!match) {
    throw new RosterError(
      'invalid_parameter',
      `since must come from an earlier page of the history; its last part ${quote(within)} does not`,
      { parameter: 'since' },
    );
  }
  return { revision: number + 1, id: Number(match[1]), step: Number(match[2]) as Step };
}

/** The position of someone who has read up to `last`, before `following`. */
export function positionAfter(
  epoch: string,
  last: ChangePosition,
  following: ChangePosition,
): HistoryPosition {
  if (following.revision > last.revision) return { epoch, number: last.revision };
  return { epoch, number: last.revision - 1, within: `${last.id}-${last.step}` };
}

export function isAfter(one: ChangePosition, other: ChangePosition): boolean {
  if (one.revision !== other.revision) return one.revision > other.revision;
  return one.id !== other.id ? one.id > other.id : one.step > other.step;
}

interface KnownHistory {
  readonly head: Revision;
  /** All changes after this revision are known. */
  readonly oldestRevision: number;
}

/** Throws `revision_expired` unless all changes after `since` are known. */
export function requireKnownHistory({ head, oldestRevision }: KnownHistory, since: Revision): void {
  const known = since.epoch === head.epoch && since.number >= oldestRevision && since.number <= head.number;
  if (!known) throw revisionExpired(since);
}

export function revisionExpired(since: Revision): RosterError {
  return new RosterError(
    'revision_expired',
    `the changes after revision ${formatRevision(since)} are no longer known, or never were; ` +
      'read the station again and continue from its revision',
  );
}

interface StationWithHistory {
  readonly head: Head;
  readonly oldestRevision: number;
}

export interface HistoryStart {
  readonly since: HistoryPosition;
  readonly after: ChangePosition;
  /** One more than the page holds: it shows whether and where the history continues. */
  readonly limit: number;
}

/** Where to start reading. Throws `revision_expired` when that is unknown. */
export function startHistory(
  station: StationWithHistory,
  { since: asked, limit }: HistoryQuery,
): HistoryStart {
  const { epoch, number } = station.head;
  const since = asked ?? { epoch, number: station.oldestRevision };
  const after = changePositionOf(since);
  requireKnownHistory(station, since);
  if (after.revision > number) throw revisionExpired(since);
  return { since, after, limit: limit + 1 };
}

/** Where to continue after a page, given everything that was found. */
export function endHistory(
  found: readonly ChangePosition[],
  { since, limit }: HistoryStart,
  { epoch, number }: Head,
): Pick<HistoryPage, 'next' | 'hasMore'> {
  const following = found[limit - 1];
  if (!following) return { next: { epoch, number }, hasMore: false };
  const last = found[limit - 2];
  return { next: last ? positionAfter(epoch, last, following) : since, hasMore: true };
}

/** A change with its position; versions are in the store's own form. */
export interface PositionedChange<Version> extends ChangePosition {
  readonly before: Version | null;
  readonly after: Version | null;
}

/** One version of a resource, from the revision that made it to the one that ended it. */
export interface PastVersion<Version> {
  readonly id: number;
  readonly revision: number;
  /** Null while it is the current one. */
  readonly until: number | null;
  readonly wasRemoved: boolean;
  readonly version: Version;
}

export interface StretchOfResource {
  readonly stationId: number;
  readonly resourceId: string;
  readonly after: ChangePosition;
  readonly limit: number;
}

/** Enough versions for `limit` changes: two may have changed nothing after the position. */
export function versionsFor(limit: number): number {
  return limit + 2;
}

/** The changes of one resource after a position, given its versions in order. */
export function changesBetween<Version>(
  versions: readonly PastVersion<Version>[],
  { after, limit }: StretchOfResource,
): PositionedChange<Version>[] {
  const changes: PositionedChange<Version>[] = [];
  let previous: PastVersion<Version> | undefined;
  for (const { id, revision, until, wasRemoved, version } of versions) {
    const before = previous?.until === revision ? previous.version : null;
    changes.push({ revision, id, step: step.put, before, after: version });
    if (wasRemoved) changes.push({ revision: until!, id, step: step.remove, before: version, after: null });
    previous = { id, revision, until, wasRemoved, version };
  }
  return changes.filter((change) => isAfter(change, after)).slice(0, limit);
}
