import type { Resource, StationAddress } from '@roster/contract';
import type { Change, HistoryPage, HistoryQuery } from '@roster/engine';
import type { ClientBase } from 'pg';
import {
  type ChangePosition,
  changesBetween,
  endHistory,
  type PastVersion,
  type PositionedChange,
  type StretchOfResource,
  startHistory,
  step,
  versionsFor,
} from '../../shared/history.ts';
import { resourceColumns, resourceColumnsOf, toResource } from '../../shared/resource-columns.ts';
import { isStorable, requireStation, type StationRow } from '../schema/find-station.ts';
import { resourceColumnCount, toOptionalResource } from '../schema/resource-columns.ts';
import { isSound } from '../schema/row-checksums.ts';

/** Runs in the caller's snapshot transaction. */
export async function readHistory(
  client: ClientBase,
  address: StationAddress,
  query: HistoryQuery,
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
  changes: readonly PositionedChange<Resource>[],
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

interface Stretch {
  readonly stationId: number;
  readonly after: ChangePosition;
  readonly limit: number;
}

/** The changes of a station after a position. */
async function readStationHistory(
  client: ClientBase,
  { stationId, after, limit }: Stretch,
): Promise<PositionedChange<Resource>[]> {
  const values = [stationId, after.revision, after.id, limit];
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

interface Source {
  readonly table: 'resources' | 'past_versions';
  readonly revision: 'revision' | 'until_revision';
  readonly step: ChangePosition['step'];
}

const sources: readonly Source[] = [
  { table: 'resources', revision: 'revision', step: step.put },
  { table: 'past_versions', revision: 'revision', step: step.put },
  { table: 'past_versions', revision: 'until_revision', step: step.remove },
];

/**
 * Each source is an index range in the requested order, so every page costs the same. Rows are verified in
 * unused columns: as conditions they would mislead the planner.
 */
function historySql(after: ChangePosition): string {
  return `
    SELECT changed.at, changed.id, changed.step, ${resourceColumnsOf('changed')}, ${resourceColumnsOf('b')},
      changed.sound, CASE WHEN b.id IS NOT NULL THEN ${isSound('past_versions', 'b')} END
    FROM (
      ${sources.map((source) => `(${selectFrom(source, after)})`).join(' UNION ALL ')}
      ORDER BY 1, 2, 3
      LIMIT $4
    ) AS changed
    LEFT JOIN past_versions b
      ON changed.step = ${step.put} AND b.station_id = $1 AND b.until_revision = changed.at
      AND b.id = changed.id AND NOT b.removed
    ORDER BY 1, 2, 3
  `;
}

function selectFrom({ table, revision, step: kind }: Source, after: ChangePosition): string {
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
  stretch: StretchOfResource,
): Promise<PositionedChange<Resource>[]> {
  if (!isStorable(stretch.resourceId)) return [];
  return changesBetween(await readVersions(client, stretch), stretch);
}

async function readVersions(
  client: ClientBase,
  { stationId, resourceId, after, limit }: StretchOfResource,
): Promise<PastVersion<Resource>[]> {
  const values = [stationId, resourceId, after.revision, versionsFor(limit)];
  const { rows } = await client.query<[number, number, number | null, boolean, ...unknown[]]>({
    text: versionsSql,
    values,
    rowMode: 'array',
  });
  return rows.map((row) => {
    const [id, revision, until, wasRemoved] = row;
    return { id, revision, until, wasRemoved, version: toResource(row, 4) };
  });
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
