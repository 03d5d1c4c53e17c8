import type { DatabaseSync } from 'node:sqlite';
import type { HistoryPosition, StationAddress } from '@roster/contract';
import type { HistoryQuery } from '@roster/engine';
import { endHistory, startHistory } from '../shared/history-page.ts';
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
  const start = startHistory(station, query);
  const stretch = { stationId: station.id, ...start };
  const { resourceId } = query;
  const found =
    resourceId === undefined
      ? readStationHistory(db, stretch)
      : readResourceHistory(db, { ...stretch, resourceId });
  const changes = withTimes(db, station, found.slice(0, query.limit));
  return { changes, ...endHistory(found, start, station.head) };
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
