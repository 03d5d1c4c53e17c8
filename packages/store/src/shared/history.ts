import {
  dataDamaged,
  formatRevision,
  type HistoryPosition,
  quote,
  type Resource,
  type Revision,
  RosterError,
} from '@roster/contract';
import type { Change, HistoryPage, HistoryQuery } from '@roster/engine/port';
import type { StationRow } from './stations.ts';

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

/** Throws `revision_expired` unless all changes after `since` are known. */
export function requireKnownHistory({ head, oldestRevision }: StationRow, since: Revision): void {
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

/** Which changes to read. */
export interface HistoryStart {
  readonly station: StationRow;
  readonly since: HistoryPosition;
  readonly after: ChangePosition;
  /** One more than the page holds: it shows whether and where the history continues. */
  readonly limit: number;
}

/** Where to start reading: `before` is the last revision before `fromMs`. Throws `revision_expired` when that is unknown. */
export function startHistory(
  station: StationRow,
  { since: asked, limit }: HistoryQuery,
  before: number | undefined,
): HistoryStart {
  const { epoch, number } = station.head;
  const since = asked ?? { epoch, number: Math.max(station.oldestRevision, before ?? 0) };
  const after = changePositionOf(since);
  requireKnownHistory(station, since);
  if (after.revision > number) throw revisionExpired(since);
  return { station, since, after, limit: limit + 1 };
}

/** A page with versions in the store's own form. */
export interface StoredHistoryPage<Version> extends Pick<HistoryPage, 'from' | 'next' | 'hasMore'> {
  readonly changes: readonly (PositionedChange<Version> & Pick<Change, 'changedAtMs' | 'changedBy'>)[];
}

/** When a revision was made, and by whom. */
export interface RevisionRow {
  readonly revision: number;
  readonly committed_ms: number;
  readonly changed_by: string | null;
}

/** The revisions that `toPage` needs to know of. */
export function revisionsFor(
  { station: { oldestRevision } }: HistoryStart,
  found: readonly ChangePosition[],
): number[] {
  return [oldestRevision, ...new Set(found.map(({ revision }) => revision))];
}

/** The page of everything that was found, given its revisions. Throws `data_damaged` if one of a change is missing. */
export function toPage<Version>(
  { station, since, limit }: HistoryStart,
  found: readonly PositionedChange<Version>[],
  revisions: readonly RevisionRow[],
): StoredHistoryPage<Version> {
  const byNumber = new Map(revisions.map((row) => [row.revision, row]));
  const changes = found.slice(0, limit - 1).map((change) => {
    const row = byNumber.get(change.revision);
    if (row === undefined) throw dataDamaged('the history of the station');
    return { ...change, changedAtMs: row.committed_ms, changedBy: row.changed_by ?? undefined };
  });
  const { oldestRevision } = station;
  const from = { revision: oldestRevision, changedAtMs: byNumber.get(oldestRevision)?.committed_ms };
  const { epoch, number } = station.head;
  const following = found[limit - 1];
  if (!following) return { from, changes, next: { epoch, number }, hasMore: false };
  const last = found[limit - 2];
  return { from, changes, next: last ? positionAfter(epoch, last, following) : since, hasMore: true };
}

/** Returns a page to the engine. */
export function decodePage<Version>(
  { from, changes, next, hasMore }: StoredHistoryPage<Version>,
  toResource: (version: Version) => Resource,
): HistoryPage {
  const decode = (version: Version | null) => (version === null ? undefined : toResource(version));
  return {
    from,
    changes: changes.map(({ revision, changedAtMs, changedBy, before, after }) => ({
      revision,
      changedAtMs,
      changedBy,
      before: decode(before),
      after: decode(after),
    })),
    next,
    hasMore,
  };
}

/**
 * The SQL condition that the removed version `p` is the last word on its resource: one that came back is put, one
 * removed repeatedly is reported once. `station` is the id of the station.
 */
export function isGone(station: string): string {
  return `
    NOT EXISTS (
      SELECT 1 FROM resources r WHERE r.station_id = ${station} AND r.resource_id = p.resource_id
    ) AND NOT EXISTS (
      SELECT 1 FROM past_versions later
      WHERE later.station_id = ${station} AND later.resource_id = p.resource_id
        AND later.until_revision > p.until_revision
    )`;
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

/** Enough versions for `limit` changes: two may have changed nothing after the position. */
export function versionsFor(limit: number): number {
  return limit + 2;
}

/** The changes of one resource after a position, given its versions in order. */
export function changesBetween<Version>(
  versions: readonly PastVersion<Version>[],
  { after, limit }: HistoryStart,
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
