import type { HistoryPosition } from '@roster/contract';
import type { Head, HistoryPage, HistoryQuery } from '@roster/engine';
import { type HistoryPlace, placeOf, positionAfter } from './history-place.ts';
import { requireKnownHistory, revisionExpired } from './require-known-history.ts';

interface StationWithHistory {
  readonly head: Head;
  readonly oldestRevision: number;
}

export interface HistoryStart {
  readonly since: HistoryPosition;
  readonly after: HistoryPlace;
  /** One change more than the page holds tells whether and where it goes on. */
  readonly limit: number;
}

/** Where to read from. Throws `revision_expired` when that is not known. */
export function startHistory(
  station: StationWithHistory,
  { since: asked, limit }: HistoryQuery,
): HistoryStart {
  const { epoch, number } = station.head;
  const since = asked ?? { epoch, number: station.oldestRevision };
  const after = placeOf(since);
  requireKnownHistory(station, since);
  if (after.revision > number) throw revisionExpired(since);
  return { since, after, limit: limit + 1 };
}

/** Where to read on behind a page, of which all that was found is given. */
export function endHistory(
  found: readonly HistoryPlace[],
  { since, limit }: HistoryStart,
  { epoch, number }: Head,
): Pick<HistoryPage, 'next' | 'hasMore'> {
  const following = found[limit - 1];
  if (!following) return { next: { epoch, number }, hasMore: false };
  const last = found[limit - 2];
  return { next: last ? positionAfter(epoch, last, following) : since, hasMore: true };
}
