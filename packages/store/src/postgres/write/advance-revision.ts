import type { Head, StationCounts } from '@roster/engine';
import type { ClientBase } from 'pg';
import { addTallies, type Tally } from '../../shared/add-tallies.ts';
import { randomRevId } from '../../shared/random-identifiers.ts';
import { isSound } from '../schema/row-checksums.ts';

export interface AdvancedStation {
  readonly id: number;
  readonly head: Head;
  /** Its counts before this write. */
  readonly counts: StationCounts;
}

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
): Promise<StationCounts> {
  const { rows } = await client.query<Tally & { added: boolean }>(tallySql, [id, head.number]);
  const added = rows.filter((row) => row.added);
  const counts = addTallies(
    before,
    added,
    rows.filter((row) => !row.added),
  );
  await client.query(
    `WITH counted AS (UPDATE stations SET counts = $4 WHERE id = $1)
     INSERT INTO revisions (station_id, revision, rev_id, committed_ms) VALUES ($1, $2, $3, ${nowMs})`,
    [id, head.number, head.revId, JSON.stringify(counts)],
  );
  return counts;
}

/** What the revision wrote and ended. */
const tallySql = `
  ${tallyOf('true', 'resources WHERE station_id = $1 AND revision = $2')}
  UNION ALL
  ${tallyOf('false', 'past_versions WHERE station_id = $1 AND until_revision = $2')}
`;

function tallyOf(added: string, from: string): string {
  return `
    SELECT ${added} AS added, state, count(*) AS resources, count(*) FILTER (WHERE alertable) AS alertable,
      count(*) FILTER (WHERE alertable AND alert_rules_count = 0) AS uncovered
    FROM ${from}
    GROUP BY state`;
}
