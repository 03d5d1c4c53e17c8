import type { ClientBase } from 'pg';
import { runTransaction } from '../connection/run-transaction.ts';
import { isAlerting } from '../schema/resource-columns.ts';
import { rowChecksum } from '../schema/row-checksums.ts';
import { nowMs } from './advance-revision.ts';

/** About how many past versions one transaction forgets; other writes run in between. */
const versionsPerStep = 10_000;

/**
 * Forgets what was committed more than `keepMs` ago. The newest revision of that age stays known: a feed from
 * it misses nothing. Several nodes may compact at once.
 */
export async function compactHistory(client: ClientBase, keepMs: number): Promise<void> {
  for (const { id, target } of await stationsToCompact(client, keepMs)) {
    while (await runTransaction(client, () => forgetSome(client, id, target)));
    await runTransaction(client, () => forgetRevisions(client, id, target));
    await runTransaction(client, () => forgetInactive(client, id));
  }
}

interface StationToCompact {
  readonly id: number;
  /** Where its history will begin. */
  readonly target: number;
}

/** Only looks at what was written since the last compaction, and skips damaged stations. */
async function stationsToCompact(client: ClientBase, keepMs: number): Promise<StationToCompact[]> {
  const { rows } = await client.query<StationToCompact>(
    `SELECT s.id, max(r.revision) AS target
     FROM stations s
     JOIN revisions r ON r.station_id = s.id AND r.revision > s.oldest_revision
     WHERE s.checksum = ${rowChecksum('stations', 's')}
       AND s.revision > s.oldest_revision AND r.committed_ms <= ${nowMs} - $1::bigint
     GROUP BY s.id`,
    [Math.trunc(keepMs)],
  );
  return rows;
}

/** Returns whether there is more. Locks the station first, as every write does. */
async function forgetSome(client: ClientBase, id: number, target: number): Promise<boolean> {
  const { rowCount } = await client.query(
    'SELECT FROM stations WHERE id = $1 AND oldest_revision < $2 FOR NO KEY UPDATE',
    [id, target],
  );
  if (rowCount === 0) return false;
  const newOldest = await reachable(client, id, target);
  await client.query('UPDATE stations SET oldest_revision = $2 WHERE id = $1', [id, newOldest]);
  await client.query('DELETE FROM past_versions WHERE station_id = $1 AND until_revision <= $2', [
    id,
    newOldest,
  ]);
  return newOldest < target;
}

/** The revision up to which there are about so many past versions; a revision is forgotten as a whole. */
async function reachable(client: ClientBase, id: number, target: number): Promise<number> {
  const { rows } = await client.query<{ revision: number }>(
    `SELECT until_revision AS revision FROM past_versions
     WHERE station_id = $1 AND until_revision <= $2
     ORDER BY until_revision, id LIMIT 1 OFFSET $3`,
    [id, target, versionsPerStep],
  );
  return rows[0]?.revision ?? target;
}

/**
 * The time of a revision stays while resources are at it. Once there are none there never will be, so no lock is
 * needed. Without statistics PostgreSQL would read the whole station for each revision.
 */
async function forgetRevisions(client: ClientBase, id: number, target: number): Promise<number> {
  await client.query('SET LOCAL enable_nestloop = off');
  const { rowCount } = await client.query(
    `DELETE FROM revisions v
     WHERE v.station_id = $1 AND v.revision < $2
       AND NOT EXISTS (SELECT 1 FROM resources r WHERE r.station_id = $1 AND r.revision = v.revision)`,
    [id, target],
  );
  return rowCount!;
}

/** Locks the station first: a write could find a resource named that becomes unnamed. */
async function forgetInactive(client: ClientBase, id: number): Promise<number> {
  await client.query('SELECT FROM stations WHERE id = $1 FOR NO KEY UPDATE', [id]);
  const { rowCount } = await client.query(
    `DELETE FROM alerting a
     WHERE a.station_id = $1 AND NOT EXISTS (
       SELECT 1 FROM resources r
       WHERE r.station_id = $1 AND r.resource_id = a.resource_id AND r.${isAlerting}
     )`,
    [id],
  );
  return rowCount!;
}
