import { type HistoryPlace, isAfter, step } from './history-place.ts';

/** A change with its place; versions are in whatever form a store reads them. */
export interface PlacedChange<Version> extends HistoryPlace {
  /** Null for a resource that was created. */
  readonly before: Version | null;
  /** Null for a resource that was removed. */
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
  readonly after: HistoryPlace;
  readonly limit: number;
}

/** So many versions are enough for `limit` changes: two may have changed nothing after the place. */
export function versionsFor(limit: number): number {
  return limit + 2;
}

/** The changes of one resource that follow a place, out of its versions in order. */
export function changesBetween<Version>(
  versions: readonly PastVersion<Version>[],
  { after, limit }: StretchOfResource,
): PlacedChange<Version>[] {
  const changes: PlacedChange<Version>[] = [];
  let previous: PastVersion<Version> | undefined;
  for (const { id, revision, until, wasRemoved, version } of versions) {
    const before = previous?.until === revision ? previous.version : null;
    changes.push({ revision, id, step: step.put, before, after: version });
    if (wasRemoved) changes.push({ revision: until!, id, step: step.remove, before: version, after: null });
    previous = { id, revision, until, wasRemoved, version };
  }
  return changes.filter((change) => isAfter(change, after)).slice(0, limit);
}
