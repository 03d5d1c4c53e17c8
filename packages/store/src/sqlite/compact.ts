import type { DatabaseSync } from 'node:sqlite';
import { withLargeCache } from './open-database.ts';
import { runTransaction } from './run-transaction.ts';

/** How many past versions one transaction forgets, about, so that writes can go on in between. */
const versionsPerStep = 20_000;

/**
 * Forgets part of what was committed up to `untilMs`, and returns whether there is more. A station remembers
 * from the newest revision of that age on: that revision stays known, since a feed from there misses nothing.
 */
export function compact(db: DatabaseSync, untilMs: number): boolean {
  return withLargeCache(db, () => runTransaction(db, () => compactSome(db, untilMs)));
}

function compactSome(db: DatabaseSync, untilMs: number): boolean {
  let room = versionsPerStep;
  for (const station of stationsToCompact(db, untilMs)) {
    if (room <= 0) return true;
    const oldest = reachable(db, station, room);
    room -= forgetUntil(db, { ...station, newOldest: oldest });
    if (oldest < station.target) return true;
  }
  return false;
}

interface StationToCompact {
  readonly id: number;
  readonly oldest: number;
  /** Where its history shall begin in the end. */
  readonly target: number;
}

/** Looks only at what stations have written since they were compacted last. */
function stationsToCompact(db: DatabaseSync, untilMs: number): StationToCompact[] {
  const sql = `
    SELECT id, oldest_revision AS oldest, (
      SELECT max(r.revision) FROM revisions r
      WHERE r.station_id = s.id AND r.revision > s.oldest_revision AND r.committed_ms <= ?
    ) AS target
    FROM stations s
    WHERE revision > oldest_revision AND target IS NOT NULL
  `;
  return db.prepare(sql).all(untilMs) as unknown as StationToCompact[];
}

/** The revision up to which there are about `room` past versions; all those of a revision go together. */
function reachable(db: DatabaseSync, { id, target }: StationToCompact, room: number): number {
  const row = db
    .prepare(
      `SELECT until_revision AS revision FROM past_versions
       WHERE station_id = ? AND until_revision <= ?
       ORDER BY until_revision, id LIMIT 1 OFFSET ?`,
    )
    .get(id, target, room) as { revision: number } | undefined;
  return row?.revision ?? target;
}

/**
 * Returns how many past versions were forgotten. The times of revisions stay for as long as resources are
 * at them. Those that need not stay any longer either have just become too old, or lose a past version.
 */
function forgetUntil(
  db: DatabaseSync,
  { id, oldest, newOldest }: StationToCompact & { newOldest: number },
): number {
  const range = { station: id, newOldest };
  forgetRevisions(db, 'revision >= :oldest AND revision < :newOldest', { ...range, oldest });
  forgetRevisions(
    db,
    `revision IN (
       SELECT revision FROM past_versions WHERE station_id = :station AND until_revision <= :newOldest
     )`,
    range,
  );
  db.prepare('UPDATE stations SET oldest_revision = :newOldest WHERE id = :station').run(range);
  const { changes } = db
    .prepare('DELETE FROM past_versions WHERE station_id = :station AND until_revision <= :newOldest')
    .run(range);
  return Number(changes);
}

function forgetRevisions(db: DatabaseSync, where: string, parameters: Record<string, number>): void {
  db.prepare(
    `DELETE FROM revisions
     WHERE station_id = :station AND ${where} AND NOT EXISTS (
       SELECT 1 FROM resources r WHERE r.station_id = :station AND r.revision = revisions.revision
     )`,
  ).run(parameters);
}
