import { limits } from '@roster/contract';
import type { BatchFaults } from '@roster/engine';
import type { ClientBase } from 'pg';
import { type FaultRow, refuseFaults, toBatchFaults } from '../shared/fault-rows.ts';

export interface StagedBatch {
  readonly stationId: number;
  /** The batch also removes every resource that it does not name. */
  readonly replaces: boolean;
}

/** Throws `invalid_records` when an id comes twice, since such a batch cannot be compared with a station. */
export async function requireNoRepeatedIds(client: ClientBase, batch: StagedBatch): Promise<void> {
  const { rowCount } = await client.query(
    'SELECT 1 FROM staged GROUP BY resource_id HAVING count(*) > 1 LIMIT 1',
  );
  if (rowCount !== 0) await requireNoFaults(client, batch);
}

/** Throws `invalid_records` with whatever keeps the batch from being written. */
export async function requireNoFaults(client: ClientBase, batch: StagedBatch): Promise<void> {
  refuseFaults(await findBatchFaults(client, batch));
}

/**
 * What keeps a batch from being written. A name may belong to another resource of the station as long as
 * the batch removes that resource or gives it another name; two resources of the batch may never share one.
 */
export async function findBatchFaults(client: ClientBase, batch: StagedBatch): Promise<BatchFaults> {
  const { stationId, replaces } = batch;
  const { rows } = await client.query<FaultRow>(faultsSql, [stationId, replaces, limits.maxReportedFaults]);
  return toBatchFaults(rows);
}

const faultsSql = `
  WITH repeated_ids AS (
    SELECT resource_id, min(position) AS first FROM staged GROUP BY resource_id HAVING count(*) > 1
  ), repeated_names AS (
    SELECT name, min(position) AS first FROM staged GROUP BY name HAVING count(*) > 1
  ), faults AS (
    SELECT s.position, 'repeated_id' AS kind, s.resource_id AS value, r.first, NULL AS owner
    FROM staged s
    JOIN repeated_ids r ON r.resource_id = s.resource_id AND s.position > r.first
    UNION ALL
    SELECT s.position, 'repeated_name', s.name, r.first, NULL
    FROM staged s
    JOIN repeated_names r ON r.name = s.name AND s.position > r.first
    JOIN staged f ON f.position = r.first AND f.resource_id <> s.resource_id
    UNION ALL
    SELECT s.position, 'taken_name', s.name, NULL, r.resource_id
    FROM staged s
    JOIN resources r ON r.station_id = $1 AND r.name = s.name AND r.resource_id <> s.resource_id
    WHERE NOT $2 AND NOT EXISTS (SELECT 1 FROM staged own WHERE own.resource_id = r.resource_id)
  )
  SELECT
    s.line, s.column_number, kind, value, f.line AS first_line, f.column_number AS first_column, owner,
    count(*) OVER () AS total
  FROM faults
  JOIN staged s ON s.position = faults.position
  LEFT JOIN staged f ON f.position = faults.first
  ORDER BY s.line, s.position, kind
  LIMIT $3
`;
