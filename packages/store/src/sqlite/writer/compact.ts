import type { DatabaseSync } from 'node:sqlite';
import { withLargeCache } from '../database/open-database.ts';
import { rowChecksum, sealRows } from '../database/row-checksums.ts';
import { getRow, getRows } from '../database/rows.ts';
import { runTransaction } from '../database/run-transaction.ts';

/** About how many past versions one transaction forgets; other writes run in between. */
const versionsPerStep = 20_000;

/**
 * Forgets some of what was committed up to `untilMs`, and returns whether there is more. The newest revision
 * of that age stays known: a feed from it misses nothing.
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
  /** Where its history will begin. */
  readonly target: number;
}

/** Only looks at what was written since the last compaction, and skips damaged stations. */
function stationsToCompact(db: DatabaseSync, untilMs: number): StationToCompact[] {
  return getRows(
    db,
    `SELECT id, oldest_revision AS oldest, (
       SELECT max(r.revision) FROM revisions r
       WHERE r.station_id = s.id AND r.revision > s.oldest_revision AND r.committed_ms <= ?
     ) AS target
     FROM stations s
     WHERE revision > oldest_revision AND target IS NOT NULL AND checksum = ${rowChecksum('stations', 's')}`,
    untilMs,
  );
}

/** The revision up to which there are about `room` past versions; a revision is forgotten as a whole. */
function reachable(db: DatabaseSync, { id, target }: StationToCompact, room: number): number {
  const row = getRow<{ revision: number }>(
    db,
    `SELECT until_revision AS revision FROM past_versions
     WHERE station_id = ? AND until_revision <= ?
     ORDER BY until_revision, id LIMIT 1 OFFSET ?`,
    id,
    target,
    room,
  );
  return row?.revision ?? target;
}

/**
 * Returns how many past versions were forgotten. A revision's time stays while resources are at it; only
 * revisions that just became too old or lose a past version can go.
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
  sealRows(db, 'stations', `id = ${id}`);
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
