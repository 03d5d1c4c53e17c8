import type { DatabaseSync } from 'node:sqlite';
import type { Head, StationCounts } from '@roster/engine';
import { addTallies, noCounts, type Tally } from '../../shared/add-tallies.ts';
import { randomRevId } from '../../shared/random-identifiers.ts';
import { countWrite } from '../database/meta-table.ts';
import { isSound, sealRows } from '../database/row-checksums.ts';

/**
 * Must be the first statement of a write transaction: revisions then follow commit order. `completeRevision`
 * writes the checksum.
 */
export function advanceRevision(db: DatabaseSync, stationId: number): Head | undefined {
  const revId = randomRevId();
  const row = db
    .prepare(
      `UPDATE stations SET revision = revision + 1, rev_id = ?
       WHERE id = ? AND ${isSound('stations')} RETURNING epoch, revision`,
    )
    .get(revId, stationId) as { epoch: string; revision: number } | undefined;
  return row && { epoch: row.epoch, number: row.revision, revId };
}

/** Must be the last statement about resources in a write transaction. Returns the station's new counts. */
export function completeRevision(db: DatabaseSync, stationId: number, head: Head): StationCounts {
  recordRevision(db, stationId, head);
  const counts = updateCounts(db, { stationId, revision: head.number });
  sealRows(db, 'stations', `id = ${stationId}`);
  return counts;
}

/** Records how many resources the revision created, updated or removed. */
export function recordRevision(db: DatabaseSync, stationId: number, head: Head): void {
  countWrite(db);
  db.prepare(
    `INSERT INTO revisions (station_id, revision, rev_id, committed_ms, changes, checksum)
     VALUES ($station, $revision, $revId, $now, (
       SELECT count(*) FROM resources INDEXED BY resources_by_revision
       WHERE station_id = $station AND revision = $revision
     ) + (
       SELECT count(*) FROM past_versions INDEXED BY past_versions_removed
       WHERE station_id = $station AND until_revision = $revision AND removed = 1
     ), 0)`,
  ).run({ station: stationId, revision: head.number, revId: head.revId, now: Date.now() });
  sealRows(db, 'revisions', `station_id = ${stationId} AND revision = ${head.number}`);
}

export function readCounts(db: DatabaseSync, stationId: number): StationCounts {
  const row = db.prepare('SELECT counts FROM stations WHERE id = ?').get(stationId);
  return row === undefined ? noCounts : JSON.parse((row as { counts: string }).counts);
}

interface RevisionOfStation {
  readonly stationId: number;
  readonly revision: number;
}

/** Updates the station's counts by what a revision wrote and ended, and returns them. */
function updateCounts(db: DatabaseSync, { stationId, revision }: RevisionOfStation): StationCounts {
  const written = tally(db, 'resources WHERE station_id = ? AND revision = ?', [stationId, revision]);
  const ended = tally(db, 'past_versions WHERE station_id = ? AND until_revision = ?', [stationId, revision]);
  const counts = addTallies(readCounts(db, stationId), written, ended);
  db.prepare('UPDATE stations SET counts = ? WHERE id = ?').run(JSON.stringify(counts), stationId);
  return counts;
}

function tally(db: DatabaseSync, from: string, parameters: readonly number[]): Tally[] {
  const sql = `
    SELECT
      state, count(*) AS resources, sum(alertable) AS alertable,
      sum(alertable AND alert_rules_count = 0) AS uncovered
    FROM ${from}
    GROUP BY state
  `;
  return db.prepare(sql).all(...parameters) as unknown as Tally[];
}
