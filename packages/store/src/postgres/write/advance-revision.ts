import type { StationCounts } from '@roster/engine/port';
import type { ClientBase } from 'pg';
import { randomRevId } from '../../shared/random-identifiers.ts';
import { type AdvancedStation, addTallies, type Tally, tallySql } from '../../shared/stations.ts';
import { isSound } from '../schema/row-checksums.ts';

/**
 * Must be the first statement of a write transaction: it locks the row until the transaction ends, so
 * revisions follow commit order. Undefined when the station is gone.
 */
export async function advanceRevision(client: ClientBase, id: number): Promise<AdvancedStation | undefined> {
  const revId = randomRevId();
  const { rows } = await client.query<{ epoch: string; revision: number; counts: StationCounts }>(
    `UPDATE stations SET revision = revision + 1, rev_id = $1
     WHERE id = $2 AND ${isSound('stations')} RETURNING epoch, revision, counts`,
    [revId, id],
  );
  const row = rows[0];
  return row && { id, head: { epoch: row.epoch, number: row.revision, revId }, counts: row.counts };
}

/** The time of the database's clock, which all nodes share. */
export const nowMs = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** Must be the last statement about resources in a write transaction. Returns the station's new counts. */
export async function completeRevision(
  client: ClientBase,
  { id, head, counts: before }: AdvancedStation,
  changedBy: string | undefined,
): Promise<StationCounts> {
  const { rows } = await client.query<Tally & { added: boolean }>(talliesSql, [id, head.number]);
  const [written, ended] = [rows.filter(({ added }) => added), rows.filter(({ added }) => !added)];
  const counts = addTallies(before, written, ended);
  await client.query(
    `WITH counted AS (UPDATE stations SET counts = $4 WHERE id = $1)
     INSERT INTO revisions (station_id, revision, rev_id, committed_ms, changed_by) VALUES ($1, $2, $3, ${nowMs}, $5)`,
    [id, head.number, head.revId, JSON.stringify(counts), changedBy ?? null],
  );
  return counts;
}

const talliesSql = `
  SELECT true AS added, written.*
  FROM (${tallySql('resources WHERE station_id = $1 AND revision = $2')}) AS written
  UNION ALL
  SELECT false, ended.*
  FROM (${tallySql('past_versions WHERE station_id = $1 AND until_revision = $2')}) AS ended
`;
