import { limits } from '@roster/contract';
import type { BatchErrors } from '@roster/engine';
import type { ClientBase } from 'pg';
import type { StagedBatch } from '../../shared/batches.ts';
import {
  type FaultRow,
  recordFaultsSql,
  refuseRecordErrors,
  toBatchFaults,
} from '../../shared/record-errors.ts';

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
  { stationId, replaces }: StagedBatch,
): Promise<BatchErrors> {
  const { rows } = await client.query<FaultRow>(faultsSql, [stationId, replaces, limits.maxReportedErrors]);
  return toBatchFaults(rows);
}

const faultsSql = recordFaultsSql({
  table: 'staged',
  position: 's.position',
  join: 'JOIN',
  isInBatch: 'EXISTS (SELECT 1 FROM staged own WHERE own.resource_id = r.resource_id)',
  station: '$1',
  replaces: '$2',
  limit: '$3',
});
