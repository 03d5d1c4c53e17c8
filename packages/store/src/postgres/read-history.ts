import type { Resource, StationAddress } from '@roster/contract';
import type { Change, HistoryPage, HistoryQuery } from '@roster/engine';
import type { ClientBase } from 'pg';
import { endHistory, startHistory } from '../shared/history-page.ts';
import type { PlacedChange } from '../shared/resource-changes.ts';
import { requireStation, type StationRow } from './find-station.ts';
import { readResourceHistory } from './resource-history.ts';
import { readStationHistory } from './station-history.ts';

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
  const start = startHistory(station, query);
  const stretch = { stationId: station.id, ...start };
  const { resourceId } = query;
  const found =
    resourceId === undefined
      ? await readStationHistory(client, stretch)
      : await readResourceHistory(client, { ...stretch, resourceId });
  const changes = await withTimes(client, station, found.slice(0, query.limit));
  return { changes, ...endHistory(found, start, station.head) };
}

async function withTimes(
  client: ClientBase,
  { id }: StationRow,
  changes: readonly PlacedChange<Resource>[],
): Promise<Change[]> {
  const { rows } = await client.query<{ revision: number; committed_ms: number }>(
    'SELECT revision, committed_ms FROM revisions WHERE station_id = $1 AND revision = ANY($2)',
    [id, [...new Set(changes.map(({ revision }) => revision))]],
  );
  const times = new Map(rows.map(({ revision, committed_ms }) => [revision, committed_ms]));
  return changes.map(({ revision, before, after }) => ({
    revision,
    changedAtMs: times.get(revision)!,
    before: before ?? undefined,
    after: after ?? undefined,
  }));
}
