import type { ClientBase } from 'pg';
import { nowMs } from './advance-revision.ts';
import { runTransaction } from './run-transaction.ts';

/** How many past versions one transaction forgets, about, so that writes can go on in between. */
const versionsPerStep = 10_000;

/**
 * Forgets what was committed more than `keepMs` ago. A station remembers from the newest revision of that
 * age on: that revision stays known, since a feed from there misses nothing. Several nodes may do this at once.
 */
export async function compact(client: ClientBase, keepMs: number): Promise<void> {
  for (const { id, target } of await stationsToCompact(client, keepMs)) {
    while (await runTransaction(client, () => forgetSome(client, id, target)));
  }
}

interface StationToCompact {
  readonly id: number;
  /** Where its history shall begin in the end. */
  readonly target: number;
}

/** Looks only at what stations have written since they were compacted last. */
async function stationsToCompact(client: ClientBase, keepMs: number): Promise<StationToCompact[]> {
  const { rows } = await client.query<StationToCompact>(
    `SELECT s.id, max(r.revision) AS target
     FROM stations s
     JOIN revisions r ON r.station_id = s.id AND r.revision > s.oldest_revision
     WHERE s.revision > s.oldest_revision AND r.committed_ms <= ${nowMs} - $1::bigint
     GROUP BY s.id`,
    [Math.trunc(keepMs)],
  );
  return rows;
}

/** Returns whether there is more. Locks the station first, as every write does. */
async function forgetSome(client: ClientBase, id: number, target: number): Promise<boolean> {
  const { rows } = await client.query<{ oldest: number }>(
    'SELECT oldest_revision AS oldest FROM stations WHERE id = $1 AND oldest_revision < $2 FOR NO KEY UPDATE',
    [id, target],
  );
  if (!rows[0]) return false;
  const newOldest = await reachable(client, id, target);
  await forgetUntil(client, { id, oldest: rows[0].oldest, newOldest });
  return newOldest < target;
}

/** The revision up to which there are about so many past versions; all those of a revision go together. */
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
 * The times of revisions stay for as long as resources are at them. Those that need not stay any longer
 * either have just become too old, or lose a past version.
 */
async function forgetUntil(
  client: ClientBase,
  { id, oldest, newOldest }: { id: number; oldest: number; newOldest: number },
): Promise<void> {
  await client.query(
    `DELETE FROM revisions v
     WHERE v.station_id = $1 AND v.revision < $3
       AND (v.revision >= $2 OR v.revision IN (
         SELECT p.revision FROM past_versions p WHERE p.station_id = $1 AND p.until_revision <= $3
       ))
       AND NOT EXISTS (SELECT 1 FROM resources r WHERE r.station_id = $1 AND r.revision = v.revision)`,
    [id, oldest, newOldest],
  );
  await client.query('UPDATE stations SET oldest_revision = $2 WHERE id = $1', [id, newOldest]);
  await client.query('DELETE FROM past_versions WHERE station_id = $1 AND until_revision <= $2', [
    id,
    newOldest,
  ]);
}
