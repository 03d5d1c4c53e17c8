import type { ClientBase } from 'pg';
import type { BatchDifference } from '../../shared/batches.ts';
import {
  optionalColumnNames,
  patchedColumn,
  resourceColumns,
  resourceColumnsOf,
} from '../../shared/resource-columns.ts';
import { mergedColumn, newColumns, now } from '../schema/resource-columns.ts';
import { isSound } from '../schema/row-checksums.ts';

export interface RowsToWrite {
  readonly stationId: number;
  readonly revision: number;
}

/** Returns how many rows were written. In index order they take a fifth less time. */
export async function insertIntoEmptyStation(client: ClientBase, rows: RowsToWrite): Promise<number> {
  const inOrder = 'FROM staged s ORDER BY s.resource_id';
  const { rowCount } = await client.query(`${insertSql} ${inOrder}`, parameters(rows));
  return rowCount!;
}

/** Writes what `compareBatch` found. Removals come first and free their names. */
export async function writeDifference(
  client: ClientBase,
  rows: RowsToWrite,
  difference: BatchDifference,
): Promise<void> {
  if (difference.removed > 0) await removeLeaving(client, rows);
  if (difference.updated > 0) await updateResources(client, rows);
  if (difference.created > 0) {
    const created = 'FROM changing c JOIN staged s ON s.position = c.position WHERE NOT c.updates';
    await client.query(`${insertSql} ${created}`, parameters(rows));
  }
}

async function removeLeaving(client: ClientBase, { stationId, revision }: RowsToWrite): Promise<void> {
  const of = 'WHERE r.resource_id IN (SELECT resource_id FROM leaving)';
  await endVersions(client, { stationId, revision, removed: true, of });
  await client.query(`DELETE FROM resources r ${of} AND r.station_id = $1`, [stationId]);
}

async function updateResources(client: ClientBase, rows: RowsToWrite): Promise<void> {
  const { stationId, revision } = rows;
  const of = `
    JOIN staged s ON s.resource_id = r.resource_id
    JOIN changing c ON c.position = s.position
    WHERE c.updates`;
  await endVersions(client, { stationId, revision, removed: false, of });
  await client.query(updateSql, parameters(rows));
}

const assignments = optionalColumnNames.map((column) => `${column} = ${mergedColumn(column)}`);

const updateSql = `
  UPDATE resources r SET name = ${patchedColumn('name')}, type_key = ${patchedColumn('type_key')}, ${assignments.join(', ')}, revision = $3
  FROM changing c JOIN staged s ON s.position = c.position
  WHERE c.updates AND r.station_id = $2 AND r.resource_id = s.resource_id
`;

const insertSql = `
  INSERT INTO resources (station_id, ${resourceColumns}, revision)
  SELECT $2::bigint, ${newColumns}, $3::bigint
`;

function parameters({ stationId, revision }: RowsToWrite): unknown[] {
  return [now(), stationId, revision];
}

interface EndOfVersions {
  readonly stationId: number;
  readonly revision: number;
  readonly removed: boolean;
  /** Which resources `r`, as SQL that follows `FROM resources r`. */
  readonly of: string;
}

/** Keeps resources as past versions before a write changes or removes them. Fails for a damaged one. */
async function endVersions(client: ClientBase, ended: EndOfVersions): Promise<void> {
  const { stationId, revision, removed, of } = ended;
  await client.query(
    `INSERT INTO past_versions (station_id, id, revision, until_revision, removed, ${resourceColumns})
     SELECT r.station_id, r.id, r.revision, $2, $3, ${resourceColumnsOf('r')}
     FROM resources r ${of} AND r.station_id = $1 AND ${isSound('resources', 'r')}`,
    [stationId, revision, removed],
  );
}
