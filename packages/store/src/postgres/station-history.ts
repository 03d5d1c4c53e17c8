import type { Resource } from '@roster/contract';
import type { ClientBase } from 'pg';
import { type HistoryPlace, step } from '../shared/history-place.ts';
import type { PlacedChange } from '../shared/resource-changes.ts';
import { resourceColumns } from '../shared/resource-columns.ts';
import {
  resourceColumnCount,
  resourceColumnsOf,
  toOptionalResource,
  toResource,
} from './resource-columns.ts';

interface Stretch {
  readonly stationId: number;
  readonly after: HistoryPlace;
  readonly limit: number;
}

/** The changes of a station that follow a place. */
export async function readStationHistory(
  client: ClientBase,
  { stationId, after, limit }: Stretch,
): Promise<PlacedChange<Resource>[]> {
  const values = [stationId, after.revision, after.id, limit];
  const { rows } = await client.query<unknown[]>({ text: historySql(after), values, rowMode: 'array' });
  return rows.map(toChange);
}

function toChange(row: readonly unknown[]): PlacedChange<Resource> {
  const [revision, id, kind] = row as [number, number, HistoryPlace['step']];
  const version = toResource(row, 3);
  if (kind === step.remove) return { revision, id, step: kind, before: version, after: null };
  const before = toOptionalResource(row, 3 + resourceColumnCount) ?? null;
  return { revision, id, step: kind, before, after: version };
}

interface Source {
  readonly table: string;
  readonly revision: 'revision' | 'until_revision';
  readonly step: HistoryPlace['step'];
}

const sources: readonly Source[] = [
  { table: 'resources', revision: 'revision', step: step.put },
  { table: 'past_versions', revision: 'revision', step: step.put },
  { table: 'past_versions', revision: 'until_revision', step: step.remove },
];

/** Each source is a range of an index in the order that is asked for, so a page costs the same wherever it is. */
function historySql(after: HistoryPlace): string {
  return `
    SELECT changed.*, ${resourceColumnsOf('b')}
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

function selectFrom({ table, revision, step: kind }: Source, after: HistoryPlace): string {
  const removedOnly = kind === step.remove ? 'AND removed' : '';
  // A removal comes first, so whoever has read the removal at a place has yet to read what was put there.
  const isBehind = kind === step.put && after.step === step.remove ? '>=' : '>';
  return `
    SELECT ${revision} AS at, id, ${kind} AS step, ${resourceColumns}
    FROM ${table}
    WHERE station_id = $1 ${removedOnly} AND (${revision}, id) ${isBehind} ($2, $3)
    ORDER BY ${revision}, id
    LIMIT $4`;
}
