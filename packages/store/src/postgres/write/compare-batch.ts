import { limits } from '@roster/contract';
import type { BatchErrors } from '@roster/engine/port';
import type { ClientBase } from 'pg';
import { type BatchDifference, recordDiffers, type StagedBatch } from '../../shared/batches.ts';
import {
  type FaultRow,
  recordFaultsSql,
  refuseRecordErrors,
  toBatchFaults,
} from '../../shared/record-errors.ts';

/** Plans and commits agree because both start here. Runs in the caller's transaction. */
export async function compareBatch(client: ClientBase, batch: StagedBatch): Promise<BatchDifference> {
  const changing = await client.query(changingSql, [batch.stationId]);
  const leaving = batch.replaces ? await client.query(leavingSql, [batch.stationId]) : { rowCount: 0 };
  if (changing.rowCount! >= rowsWorthAnalyzing) await client.query('ANALYZE changing');
  const { rows } = await client.query<Omit<BatchDifference, 'removed'>>(`
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

/** Throws `invalid_records` when an id is repeated: such a batch cannot be compared with a station. */
export async function requireNoRepeatedIds(client: ClientBase, batch: StagedBatch): Promise<void> {
  const { rowCount } = await client.query(
    'SELECT 1 FROM staged GROUP BY resource_id HAVING count(*) > 1 LIMIT 1',
  );
  if (rowCount !== 0) await requireNoFaults(client, batch);
}

/** Throws `invalid_records` with everything that keeps the batch from being written. */
export async function requireNoFaults(client: ClientBase, batch: StagedBatch): Promise<void> {
  refuseRecordErrors(await findRecordErrors(client, batch));
}

export async function findRecordErrors(
  client: ClientBase,
  { stationId, replaces, patches }: StagedBatch,
): Promise<BatchErrors> {
  const values = [stationId, replaces, limits.maxReportedErrors, patches];
  const { rows } = await client.query<FaultRow>(faultsSql, values);
  return toBatchFaults(rows);
}

const faultsSql = recordFaultsSql({
  table: 'staged',
  position: 's.position',
  join: 'JOIN',
  isRenamed:
    'EXISTS (SELECT 1 FROM staged own WHERE own.resource_id = r.resource_id AND own.name IS NOT NULL)',
  station: '$1',
  replaces: '$2',
  patches: '$4::boolean',
  limit: '$3',
});
