import type { HistoryPosition, StationAddress } from '@roster/contract';
import type { Change, HistoryPage, HistoryQuery } from '@roster/engine';
import type { ClientBase } from 'pg';
import { placeOf, positionAfter } from '../shared/history-place.ts';
import { requireKnownHistory, revisionExpired } from '../shared/require-known-history.ts';
import { requireStation, type StationRow } from './find-station.ts';
import { readResourceHistory } from './resource-history.ts';
import { type PlacedChange, readStationHistory } from './station-history.ts';

export interface HistoryRequest {
  readonly address: StationAddress;
  readonly query: HistoryQuery;
}

/** The caller has begun a transaction that sees one state of the database. */
export async function readHistory(
  client: ClientBase,
  { address, query }: HistoryRequest,
): Promise<HistoryPage> {
  const station = await requireStation(client, address);
  const { limit } = query;
  const { epoch, number } = station.head;
  const since = query.since ?? { epoch, number: station.oldestRevision };
  const found = await readAfter(client, station, { ...query, since });
  const page = found.slice(0, limit);
  const changes = await withTimes(client, station, page);
  const following = found[limit];
  if (!following) return { changes, next: { epoch, number }, hasMore: false };
  const last = page.at(-1);
  return { changes, next: last ? positionAfter(epoch, last, following) : since, hasMore: true };
}

/** One change more than the page holds, which tells whether and where it goes on. */
async function readAfter(
  client: ClientBase,
  station: StationRow,
  { since, resourceId, limit }: HistoryQuery & { since: HistoryPosition },
): Promise<PlacedChange[]> {
  const after = placeOf(since);
  requireKnownHistory(station, since);
  if (after.revision > station.head.number) throw revisionExpired(since);
  const stretch = { stationId: station.id, after, limit: limit + 1 };
  return resourceId === undefined
    ? readStationHistory(client, stretch)
    : readResourceHistory(client, { ...stretch, resourceId });
}

async function withTimes(
  client: ClientBase,
  { id }: StationRow,
  changes: readonly PlacedChange[],
): Promise<Change[]> {
  const { rows } = await client.query<{ revision: number; committed_ms: number }>(
    'SELECT revision, committed_ms FROM revisions WHERE station_id = $1 AND revision = ANY($2)',
    [id, [...new Set(changes.map(({ revision }) => revision))]],
  );
  const times = new Map(rows.map(({ revision, committed_ms }) => [revision, committed_ms]));
  return changes.map(({ revision, before, after }) => ({
    revision,
    changedAtMs: times.get(revision)!,
    before,
    after,
  }));
}
