import type { Head, StationCounts } from '@roster/engine/port';
import type { ClientBase } from 'pg';
import { randomRevId } from '../../shared/random-identifiers.ts';
import { addTallies, type StationRow, type Tally } from '../../shared/stations.ts';

/** The time of the database's clock, which all nodes share. */
export const nowMs = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** What a write adds to the counts of its station, and what it takes away. */
export interface WrittenTallies {
  readonly written: readonly Tally[];
  readonly ended: readonly Tally[];
}

/**
 * Advances the station by one revision and returns its new head and counts. The first statement of the transaction must
 * have locked the station, so that revisions follow commit order, and no later one may change its resources.
 */
export async function advanceRevision(
  client: ClientBase,
  { id, head: before, counts: countsBefore }: StationRow,
  { written, ended }: WrittenTallies,
  changedBy: string | undefined,
): Promise<{ head: Head; counts: StationCounts }> {
  const head = { epoch: before.epoch, number: before.number + 1, revId: randomRevId() };
  const counts = addTallies(countsBefore, written, ended);
  await client.query(
    `WITH moved AS (UPDATE stations SET revision = $2, rev_id = $3, counts = $4 WHERE id = $1)
     INSERT INTO revisions (station_id, revision, rev_id, committed_ms, changed_by) VALUES ($1, $2, $3, ${nowMs}, $5)`,
    [id, head.number, head.revId, JSON.stringify(counts), changedBy ?? null],
  );
  return { head, counts };
}
