import type { DatabaseSync } from 'node:sqlite';
import { withLargeCache } from '../database/open-database.ts';
import { asInteger } from '../database/resource-columns.ts';
import { checksumOf, rowChecksum, sealRows } from '../database/row-checksums.ts';
import { getRow, getRows } from '../database/rows.ts';
import { runTransaction } from '../database/run-transaction.ts';

/** About how many past versions one transaction forgets; other writes run in between. */
const versionsPerStep = 20_000;

/**
 * Forgets some of what was committed up to `untilMs`, and returns whether there is more. The newest revision
 * of that age stays known: a feed from it misses nothing.
 */
export function compactHistory(db: DatabaseSync, untilMs: number): boolean {
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
 * Returns how many past versions were forgotten. A revision's time stays while resources are at it; only revisions that
 * just became too old or lose a past version can go. Damaged ones stay as they are.
 */
function forgetUntil(
  db: DatabaseSync,
  { id, oldest, newOldest }: StationToCompact & { newOldest: number },
): number {
  const range = { station: id, newOldest };
  countForgotten(db, range);
  forgetRevisions(db, 'revision >= :oldest', { ...range, oldest });
  forgetRevisions(db, `revision IN (SELECT revision FROM ${forgottenVersions})`, range);
  db.prepare('UPDATE stations SET oldest_revision = :newOldest WHERE id = :station').run(range);
  sealRows(db, 'stations', `id = ${id}`);
  const { changes } = db.prepare(`DELETE FROM ${forgottenVersions}`).run(range);
  return Number(changes);
}

const forgottenVersions = 'past_versions WHERE station_id = :station AND until_revision <= :newOldest';

/** Row by row, because SQLite would look at all revisions of the station. */
function countForgotten(db: DatabaseSync, range: { station: number; newOldest: number }): void {
  const rows = db.prepare(`SELECT revision, count(*) AS count FROM ${forgottenVersions} GROUP BY revision`);
  const versions = `(versions - ${asInteger('?1')})`;
  const numbers = ['station_id', 'revision', 'committed_ms', 'changes', versions];
  const subtract = db.prepare(
    `UPDATE revisions SET versions = ${versions}, checksum = ${checksumOf('(checksum & 4294967295)', numbers)}
     WHERE station_id = ?2 AND revision = ?3 AND checksum = ${rowChecksum('revisions')}`,
  );
  for (const { revision, count } of rows.iterate(range)) subtract.run(count!, range.station, revision!);
}

function forgetRevisions(db: DatabaseSync, where: string, parameters: Record<string, number>): void {
  db.prepare(
    `DELETE FROM revisions
     WHERE station_id = :station AND revision < :newOldest AND ${where} AND versions = 0
       AND checksum = ${rowChecksum('revisions')}`,
  ).run(parameters);
}
