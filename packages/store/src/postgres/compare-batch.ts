import type { ClientBase } from 'pg';
import { optionalColumnNames } from '../shared/resource-columns.ts';
import type { StagedBatch } from './find-batch-faults.ts';

/** How a batch differs from the station. The rows themselves are in `changing` and `leaving`. */
export interface BatchDifference {
  readonly created: number;
  readonly updated: number;
  /** How many of the updated resources get another name. */
  readonly renamed: number;
  readonly removed: number;
}

/**
 * Plans and commits both begin here, which is why they agree. `changing` gets the records that create or
 * update a resource, `leaving` the resources that a replace removes. Both are empty again when the caller's
 * transaction ends.
 */
export async function compareBatch(client: ClientBase, batch: StagedBatch): Promise<BatchDifference> {
  const changing = await client.query(changingSql, [batch.stationId]);
  const leaving = batch.replaces ? await client.query(leavingSql, [batch.stationId]) : { rowCount: 0 };
  if (changing.rowCount! >= rowsWorthAnalyzing) await client.query('ANALYZE changing');
  const { rows } = await client.query<{ created: number; updated: number; renamed: number }>(`
    SELECT count(*) FILTER (WHERE NOT updates) AS created, count(*) FILTER (WHERE updates) AS updated,
      count(*) FILTER (WHERE renames) AS renamed
    FROM changing
  `);
  return { ...rows[0]!, removed: leaving.rowCount! };
}

const rowsWorthAnalyzing = 1_000;

const differs = ['name', 'type_key', ...optionalColumnNames].map((column) => `r.${column} <> s.${column}`);

const changingSql = `
  INSERT INTO changing (position, updates, renames)
  SELECT s.position, r.id IS NOT NULL, r.name <> s.name
  FROM staged s
  LEFT JOIN resources r ON r.station_id = $1 AND r.resource_id = s.resource_id
  WHERE r.id IS NULL OR ${differs.join(' OR ')}
`;

const leavingSql = `
  INSERT INTO leaving (resource_id)
  SELECT r.resource_id FROM resources r
  WHERE r.station_id = $1 AND NOT EXISTS (SELECT 1 FROM staged s WHERE s.resource_id = r.resource_id)
`;
