import type { DatabaseSync } from 'node:sqlite';
import type { HistoryPosition, StationAddress } from '@roster/contract';
import type { HistoryQuery } from '@roster/engine';
import { placeOf, positionAfter } from '../shared/history-place.ts';
import { requireKnownHistory, revisionExpired } from '../shared/require-known-history.ts';
import { requireStation, type StationRow } from './find-station.ts';
import { readResourceHistory } from './resource-history.ts';
import { type EncodedChange, readStationHistory } from './station-history.ts';

export interface HistoryRequest {
  readonly address: StationAddress;
  readonly query: HistoryQuery;
}

/** A page on its way between threads. */
export interface EncodedHistoryPage {
  readonly changes: readonly (EncodedChange & { readonly changedAtMs: number })[];
  readonly next: HistoryPosition;
  readonly hasMore: boolean;
}

/** The caller has begun a transaction on `db`. */
export function readHistory(db: DatabaseSync, { address, query }: HistoryRequest): EncodedHistoryPage {
  const station = requireStation(db, address);
  const { limit } = query;
  const { epoch, number } = station.head;
  const since = query.since ?? { epoch, number: station.oldestRevision };
  const found = readAfter(db, station, { ...query, since });
  const changes = withTimes(db, station, found.slice(0, limit));
  const following = found[limit];
  if (!following) return { changes, next: { epoch, number }, hasMore: false };
  const last = changes.at(-1);
  return { changes, next: last ? positionAfter(epoch, last, following) : since, hasMore: true };
}

/** One change more than the page holds, which tells whether and where it goes on. */
function readAfter(
  db: DatabaseSync,
  station: StationRow,
  { since, resourceId, limit }: HistoryQuery & { since: HistoryPosition },
): EncodedChange[] {
  const after = placeOf(since);
  requireKnownHistory(station, since);
  if (after.revision > station.head.number) throw revisionExpired(since);
  const stretch = { stationId: station.id, after, limit: limit + 1 };
  return resourceId === undefined
    ? readStationHistory(db, stretch)
    : readResourceHistory(db, { ...stretch, resourceId });
}

function withTimes(
  db: DatabaseSync,
  { id }: StationRow,
  changes: readonly EncodedChange[],
): EncodedHistoryPage['changes'] {
  const select = db.prepare('SELECT committed_ms FROM revisions WHERE station_id = ? AND revision = ?');
  const times = new Map<number, number>();
  return changes.map((change) => {
    const known = times.get(change.revision);
    const changedAtMs = known ?? (select.get(id, change.revision) as { committed_ms: number }).committed_ms;
    times.set(change.revision, changedAtMs);
    return { ...change, changedAtMs };
  });
}
