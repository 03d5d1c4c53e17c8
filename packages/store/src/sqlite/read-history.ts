import type { DatabaseSync } from 'node:sqlite';
import type { StationAddress } from '@roster/contract';
import type { HistoryPosition, HistoryQuery } from '@roster/engine';
import { requireStation, type StationRow } from './find-station.ts';
import { placeOf, positionAfter } from './history-place.ts';
import { requireKnownHistory, revisionExpired } from './require-known-history.ts';
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
  const { since, limit } = query;
  const found = readAfter(db, station, query);
  const changes = withTimes(db, station, found.slice(0, limit));
  const { epoch, number } = station.head;
  const following = found[limit];
  if (!following) return { changes, next: { epoch, number }, hasMore: false };
  const last = changes.at(-1);
  return { changes, next: last ? positionAfter(epoch, last, following) : since, hasMore: true };
}

/** One change more than the page holds, which tells whether and where it goes on. */
function readAfter(db: DatabaseSync, station: StationRow, query: HistoryQuery): EncodedChange[] {
  const after = placeOf(query.since);
  requireKnownHistory(station, query.since);
  if (after.revision > station.head.number) throw revisionExpired(query.since);
  const stretch = { stationId: station.id, after, limit: query.limit + 1 };
  return query.resourceId === undefined
    ? readStationHistory(db, stretch)
    : readResourceHistory(db, { ...stretch, resourceId: query.resourceId });
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
