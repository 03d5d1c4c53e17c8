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
import { textColumnNames } from '../../shared/resource-columns.ts';
import { averageStation } from '../schema/find-station.ts';

interface ComparedBatch extends BatchDifference {
  /** How long the text of the changing resources may become. */
  readonly bytes: number;
}

/** Plans and commits agree because both start here. Runs in the caller's transaction. */
export async function compareBatch(
  client: ClientBase,
  batch: StagedBatch & { readonly count: number },
  resources: number,
): Promise<ComparedBatch> {
  const text = changingSql(batch.count <= resources * shareToLookUp ? lookedUp : joined);
  const { rows } = await client.query<Omit<ComparedBatch, 'removed'>>(text, [batch.stationId]);
  const leaving = batch.replaces ? await client.query(leavingSql, [batch.stationId]) : { rowCount: 0 };
  const difference = { ...rows[0]!, removed: leaving.rowCount! };
  const changing = difference.created + difference.updated;
  if (changing >= rowsWorthAnalyzing) await client.query('ANALYZE changing');
  return difference;
}

const rowsWorthAnalyzing = 1_000;

/** Up to this share of a station, looking rows up takes less time than reading all of it. */
const shareToLookUp = 1 / 8;

/** The stored resource `r` of a staged record. The offset keeps PostgreSQL from reading the station all the same. */
const lookedUp = `
    LEFT JOIN LATERAL (
      SELECT x.*, x.ctid AS at FROM resources x
      WHERE x.station_id = ${averageStation('$1')} AND x.resource_id = s.resource_id
      OFFSET 0
    ) r ON true`;
const joined = `
    LEFT JOIN (SELECT x.*, x.ctid AS at FROM resources x) r
      ON r.station_id = $1 AND r.resource_id = s.resource_id`;

/** Without what new resources get by default. PostgreSQL knows lengths without reading large texts. */
const bytes = textColumnNames
  .map((column) => `coalesce(octet_length(s.${column}), octet_length(r.${column}), 0)`)
  .join(' + ');

/** Rows stay where they are while their station is locked. In their order they are written faster. */
const changingSql = (stored: string) => `
  WITH compared AS (
    INSERT INTO changing (position, updates, renames, bytes, staged_at, at)
    SELECT s.position, r.id IS NOT NULL, r.name <> s.name, ${bytes}, s.ctid, r.at
    FROM staged s
    ${stored}
    WHERE r.id IS NULL OR ${recordDiffers}
    ORDER BY r.at, s.position
    RETURNING updates, renames, bytes
  )
  SELECT count(*) FILTER (WHERE NOT updates) AS created, count(*) FILTER (WHERE updates) AS updated,
    count(*) FILTER (WHERE renames) AS renamed, coalesce(sum(bytes), 0)::bigint AS bytes
  FROM compared
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
