import type { DatabaseSync } from 'node:sqlite';
import type { StationCounts } from '@roster/engine';

export const noCounts: StationCounts = { resources: 0, alertable: 0, uncovered: 0, byState: {} };

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

interface Tally {
  readonly state: string;
  readonly resources: number;
  readonly alertable: number;
  readonly uncovered: number;
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

function addTallies(
  before: StationCounts,
  added: readonly Tally[],
  subtracted: readonly Tally[],
): StationCounts {
  let { resources, alertable, uncovered } = before;
  const byState = new Map(Object.entries(before.byState));
  const add = (sign: 1 | -1, each: Tally) => {
    resources += sign * each.resources;
    alertable += sign * each.alertable;
    uncovered += sign * each.uncovered;
    byState.set(each.state, (byState.get(each.state) ?? 0) + sign * each.resources);
  };
  for (const each of added) add(1, each);
  for (const each of subtracted) add(-1, each);
  const present = [...byState].filter(([, count]) => count > 0);
  return { resources, alertable, uncovered, byState: Object.fromEntries(present) };
}
