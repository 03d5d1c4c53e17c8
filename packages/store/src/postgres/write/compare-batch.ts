import type { ClientBase } from 'pg';
import { type BatchDifference, recordDiffers, type StagedBatch } from '../../shared/batches.ts';

/** Plans and commits agree because both start here. Runs in the caller's transaction. */
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

const changingSql = `
  INSERT INTO changing (position, updates, renames)
  SELECT s.position, r.id IS NOT NULL, r.name <> s.name
  FROM staged s
  LEFT JOIN resources r ON r.station_id = $1 AND r.resource_id = s.resource_id
  WHERE r.id IS NULL OR ${recordDiffers}
`;

const leavingSql = `
  INSERT INTO leaving (resource_id)
  SELECT r.resource_id FROM resources r
  WHERE r.station_id = $1 AND NOT EXISTS (SELECT 1 FROM staged s WHERE s.resource_id = r.resource_id)
`;
