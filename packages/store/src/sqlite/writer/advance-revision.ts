import type { DatabaseSync } from 'node:sqlite';
import type { Head, StationCounts } from '@roster/engine/port';
import { randomRevId } from '../../shared/random-identifiers.ts';
import {
  type AdvancedStation,
  addTallies,
  parseCounts,
  type Tally,
  tallySql,
} from '../../shared/stations.ts';
import { countWrite } from '../database/meta-table.ts';
import { isSound, sealRows } from '../database/row-checksums.ts';
import { getRow, getRows } from '../database/rows.ts';

/**
 * Must be the first statement of a write transaction: revisions then follow commit order. `completeRevision`
 * writes the checksum. Undefined when the station is gone.
 */
export function advanceRevision(db: DatabaseSync, id: number): AdvancedStation | undefined {
  const revId = randomRevId();
  const row = getRow<{ epoch: string; revision: number; counts: string }>(
    db,
    `UPDATE stations SET revision = revision + 1, rev_id = ?
     WHERE id = ? AND ${isSound('stations')} RETURNING epoch, revision, counts`,
    revId,
    id,
  );
  const head = row && { epoch: row.epoch, number: row.revision, revId };
  return head && { id, head, counts: parseCounts(row.counts) };
}

/** Must be the last statement about resources in a write transaction. Returns the station's new counts. */
export function completeRevision(
  db: DatabaseSync,
  { id, head, counts: before }: AdvancedStation,
  changedBy: string | undefined,
): StationCounts {
  recordRevision(db, id, head, changedBy);
  const tally = (from: string) => getRows<Tally>(db, tallySql(from), id, head.number);
  const written = tally('resources WHERE station_id = ? AND revision = ?');
  const ended = tally('past_versions WHERE station_id = ? AND until_revision = ?');
  const counts = addTallies(before, written, ended);
  db.prepare('UPDATE stations SET counts = ? WHERE id = ?').run(JSON.stringify(counts), id);
  sealRows(db, 'stations', `id = ${id}`);
  return counts;
}

/** Records how many resources the revision created, updated or removed. */
export function recordRevision(
  db: DatabaseSync,
  stationId: number,
  head: Head,
  changedBy?: string | undefined,
): void {
  countWrite(db);
  db.prepare(
    `INSERT INTO revisions (station_id, revision, rev_id, committed_ms, changed_by, changes, checksum)
     VALUES ($station, $revision, $revId, $now, $changedBy, (
       SELECT count(*) FROM resources INDEXED BY resources_by_revision
       WHERE station_id = $station AND revision = $revision
     ) + (
       SELECT count(*) FROM past_versions INDEXED BY past_versions_removed
       WHERE station_id = $station AND until_revision = $revision AND removed = 1
     ), 0)`,
  ).run({
    station: stationId,
    revision: head.number,
    revId: head.revId,
    now: Date.now(),
    changedBy: changedBy ?? null,
  });
  sealRows(db, 'revisions', `station_id = ${stationId} AND revision = ${head.number}`);
}
