import type { DatabaseSync } from 'node:sqlite';
import type { Head, StationCounts } from '@roster/engine';
import { randomRevId } from '../shared/random-identifiers.ts';
import { updateCounts } from './station-counts.ts';

/** Must be the first statement of a write transaction, so that revisions follow commit order. */
export function advanceRevision(db: DatabaseSync, stationId: number): Head | undefined {
  const revId = randomRevId();
  const row = db
    .prepare('UPDATE stations SET revision = revision + 1, rev_id = ? WHERE id = ? RETURNING epoch, revision')
    .get(revId, stationId) as { epoch: string; revision: number } | undefined;
  return row && { epoch: row.epoch, number: row.revision, revId };
}

/** Must be the last statement about resources in a write transaction. Returns what the station now counts. */
export function completeRevision(db: DatabaseSync, stationId: number, head: Head): StationCounts {
  recordRevision(db, stationId, head);
  return updateCounts(db, { stationId, revision: head.number });
}

export function recordRevision(db: DatabaseSync, stationId: number, head: Head): void {
  db.prepare('INSERT INTO revisions VALUES (?, ?, ?, ?)').run(stationId, head.number, head.revId, Date.now());
}
