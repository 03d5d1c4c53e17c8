import { dataDamaged, type Resource, type StationAddress } from '@roster/contract';
import type { HistoryPage, HistoryQuery } from '@roster/engine/port';
import type { ClientBase } from 'pg';
import {
  type ChangePosition,
  changesBetween,
  decodePage,
  type HistoryStart,
  type PositionedChange,
  type RevisionRow,
  revisionsFor,
  startHistory,
  step,
  toPage,
  versionsFor,
} from '../../shared/history.ts';
import { resourceColumns, resourceColumnsOf, toResource } from '../../shared/resource-columns.ts';
import { averageStation, isStorable, requireStation } from '../schema/find-station.ts';
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
  const { rows } = await client.query<unknown[]>({ text: historySql, values, rowMode: 'array' });
  return rows.map(toChange);
}

function toChange(row: readonly unknown[]): PositionedChange<Resource> {
  const [revision, id, kind] = row as [number, number, ChangePosition['step']];
  const before = toOptionalResource(row, 3) ?? null;
  if (kind === step.remove) return { revision, id, step: kind, before, after: null };
  const after = toOptionalResource(row, 3 + resourceColumnCount);
  if (after === undefined) throw dataDamaged('the history of the station');
  return { revision, id, step: kind, before, after };
}

/**
 * Every change but a creation ends a version. Each source is an index range in the requested order, and versions are
 * looked up, so every page costs the same. Rows are verified in unused columns: as conditions they would mislead the
 * planner.
 */
const historySql = `
  SELECT changed.at, changed.id, changed.step, ${resourceColumnsOf('b')}, ${resourceColumnsOf('a')}, b.sound, a.sound
  FROM (
    (${selectFrom('past_versions', { revision: 'until_revision', step: `CASE WHEN removed THEN ${step.remove} ELSE ${step.put} END` })})
    UNION ALL
    (${selectFrom('resources', { revision: 'created_revision', step: `${step.put}` })})
    UNION ALL
    (${selectFrom('past_versions', { revision: 'created_revision', step: `${step.put}`, condition: 'AND removed' })})
    ORDER BY 1, 2, 3
    LIMIT $4
  ) AS changed
  LEFT JOIN LATERAL (
    SELECT ${resourceColumns}, ${isSound('past_versions', 'p')} AS sound
    FROM past_versions p
    WHERE p.station_id = ${averageStation('$1')} AND p.until_revision = changed.at AND p.id = changed.id
    OFFSET 0
  ) AS b ON true
  LEFT JOIN LATERAL (
    (SELECT until_revision AS until, ${resourceColumns}, ${isSound('past_versions', 'p')} AS sound
     FROM past_versions p
     WHERE p.station_id = ${averageStation('$1')} AND p.resource_id = changed.resource_id AND p.until_revision > changed.at
       AND p.id = changed.id AND p.revision = changed.at
     ORDER BY until_revision LIMIT 1)
    UNION ALL
    (SELECT NULL, ${resourceColumns}, ${isSound('resources', 'r')} AS sound
     FROM resources r
     WHERE r.station_id = ${averageStation('$1')} AND r.resource_id = changed.resource_id AND r.id = changed.id AND r.revision = changed.at)
    ORDER BY until LIMIT 1
  ) AS a ON changed.step = ${step.put}
  ORDER BY 1, 2, 3
`;

interface Source {
  readonly revision: string;
  readonly step: string;
  readonly condition?: string;
}

function selectFrom(table: string, { revision, step: kind, condition = '' }: Source): string {
  return `
    SELECT ${revision} AS at, id, ${kind} AS step, resource_id
    FROM ${table}
    WHERE station_id = $1 ${condition} AND (${revision}, id) > ($2, $3)
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
   WHERE station_id = ${averageStation('$1')} AND resource_id = $2 AND until_revision >= $3 AND ${isSound('past_versions')}
   ORDER BY until_revision
   LIMIT $4)
  UNION ALL
  (SELECT id, revision, NULL, false, ${resourceColumns}
   FROM resources WHERE station_id = ${averageStation('$1')} AND resource_id = $2 AND ${isSound('resources')})
  ORDER BY until NULLS LAST
`;
