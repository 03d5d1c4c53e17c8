import type { DatabaseSync } from 'node:sqlite';
import type { StationCounts } from '@roster/engine';
import { addTallies, noCounts, type Tally } from '../shared/add-tallies.ts';

export function readCounts(db: DatabaseSync, stationId: number): StationCounts {
  const row = db.prepare('SELECT counts FROM stations WHERE id = ?').get(stationId);
  return row === undefined ? noCounts : JSON.parse((row as { counts: string }).counts);
}

interface RevisionOfStation {
  readonly stationId: number;
  readonly revision: number;
}

/** Adds to the station's counts what a revision wrote, takes off what it ended, and returns them. */
export function updateCounts(db: DatabaseSync, { stationId, revision }: RevisionOfStation): StationCounts {
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
