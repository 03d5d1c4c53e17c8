import type { Resource, StationAddress } from '@roster/contract';
import type { HistoryPage, HistoryQuery } from '@roster/engine/port';
import type { ClientBase } from 'pg';
import {
  type ChangePosition,
  changesBetween,
  decodePage,
  type HistorySource,
  type HistoryStart,
  historySources,
  type PositionedChange,
  type RevisionRow,
  revisionsFor,
  startHistory,
  step,
  toPage,
  versionsFor,
} from '../../shared/history.ts';
import { resourceColumns, resourceColumnsOf, toResource } from '../../shared/resource-columns.ts';
import { isStorable, requireStation } from '../schema/find-station.ts';
import { resourceColumnCount, toOptionalResource } from '../schema/resource-columns.ts';
import { isSound } from '../schema/row-checksums.ts';

/** Runs in the caller's snapshot transaction. */
export async function readHistory(
  client: ClientBase,
  address: StationAddress,
  query: HistoryQuery,
): Promise<HistoryPage> {
  const station = await requireStation(client, address);
  const start = startHistory(station, query, await lastBefore(client, station.id, query));
  const { resourceId } = query;
  const found =
    resourceId === undefined
      ? await readStationHistory(client, start)
      : await readResourceHistory(client, start, resourceId);
  const { rows: revisions } = await client.query<RevisionRow>(
    'SELECT revision, committed_ms, changed_by FROM revisions WHERE station_id = $1 AND revision = ANY($2)',
    [station.id, revisionsFor(start, found)],
  );
  return decodePage(toPage(start, found, revisions), (resource) => resource);
}

async function lastBefore(
  client: ClientBase,
  stationId: number,
  { since, fromMs }: HistoryQuery,
): Promise<number | undefined> {
  if (since !== undefined || fromMs === undefined) return undefined;
  const { rows } = await client.query<{ revision: number }>(
    `SELECT revision FROM revisions WHERE station_id = $1 AND committed_ms < $2
     ORDER BY revision DESC LIMIT 1`,
    [stationId, fromMs],
  );
  return rows[0]?.revision;
}

/** The changes of a station after a position. */
async function readStationHistory(
  client: ClientBase,
  { station, after, limit }: HistoryStart,
): Promise<PositionedChange<Resource>[]> {
  const values = [station.id, after.revision, after.id, limit];
  const { rows } = await client.query<unknown[]>({ text: historySql(after), values, rowMode: 'array' });
  return rows.map(toChange);
}

function toChange(row: readonly unknown[]): PositionedChange<Resource> {
  const [revision, id, kind] = row as [number, number, ChangePosition['step']];
  const version = toResource(row, 3);
  if (kind === step.remove) return { revision, id, step: kind, before: version, after: null };
  const before = toOptionalResource(row, 3 + resourceColumnCount) ?? null;
  return { revision, id, step: kind, before, after: version };
}

/**
 * Each source is an index range in the requested order, so every page costs the same. Rows are verified in
 * unused columns: as conditions they would mislead the planner.
 */
function historySql(after: ChangePosition): string {
  return `
    SELECT changed.at, changed.id, changed.step, ${resourceColumnsOf('changed')}, ${resourceColumnsOf('b')},
      changed.sound, CASE WHEN b.id IS NOT NULL THEN ${isSound('past_versions', 'b')} END
    FROM (
      ${historySources.map((source) => `(${selectFrom(source, after)})`).join(' UNION ALL ')}
      ORDER BY 1, 2, 3
      LIMIT $4
    ) AS changed
    LEFT JOIN past_versions b
      ON changed.step = ${step.put} AND b.station_id = $1 AND b.until_revision = changed.at
      AND b.id = changed.id AND NOT b.removed
    ORDER BY 1, 2, 3
  `;
}

function selectFrom({ table, revision, step: kind }: HistorySource, after: ChangePosition): string {
  const removedOnly = kind === step.remove ? 'AND removed' : '';
  // A removal sorts before a put at the same position.
  const isBehind = kind === step.put && after.step === step.remove ? '>=' : '>';
  return `
    SELECT ${revision} AS at, id, ${kind} AS step, ${resourceColumns}, ${isSound(table)} AS sound
    FROM ${table}
    WHERE station_id = $1 ${removedOnly} AND (${revision}, id) ${isBehind} ($2, $3)
    ORDER BY ${revision}, id
    LIMIT $4`;
}

/** The changes of one resource after a position. */
async function readResourceHistory(
  client: ClientBase,
  start: HistoryStart,
  resourceId: string,
): Promise<PositionedChange<Resource>[]> {
  if (!isStorable(resourceId)) return [];
  const { rows } = await client.query<[number, number, number | null, boolean, ...unknown[]]>({
    text: versionsSql,
    values: [start.station.id, resourceId, start.after.revision, versionsFor(start.limit)],
    rowMode: 'array',
  });
  const versions = rows.map((row) => {
    const [id, revision, until, wasRemoved] = row;
    return { id, revision, until, wasRemoved, version: toResource(row, 4) };
  });
  return changesBetween(versions, start);
}

const versionsSql = `
  (SELECT id, revision, until_revision AS until, removed, ${resourceColumns}
   FROM past_versions
   WHERE station_id = $1 AND resource_id = $2 AND until_revision >= $3 AND ${isSound('past_versions')}
   ORDER BY until_revision
   LIMIT $4)
  UNION ALL
  (SELECT id, revision, NULL, false, ${resourceColumns}
   FROM resources WHERE station_id = $1 AND resource_id = $2 AND ${isSound('resources')})
  ORDER BY until NULLS LAST
`;
