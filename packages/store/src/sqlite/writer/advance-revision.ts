import type { DatabaseSync } from 'node:sqlite';
import type { Head, StationCounts } from '@roster/engine/port';
import type { BatchDifference } from '../../shared/batches.ts';
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
  { created, updated, removed }: BatchDifference,
  changedBy: string | undefined,
): StationCounts {
  const versions = created + updated;
  recordRevision(db, id, head, { changes: versions + removed, versions, changedBy });
  const tally = (isAny: boolean, from: string) =>
    isAny ? getRows<Tally>(db, tallySql(from), id, head.number) : [];
  const written = [...tally(created > 0, createdResources), ...tally(updated > 0, updatedResources)];
  const ended = tally(updated + removed > 0, 'past_versions WHERE station_id = ? AND until_revision = ?');
  const counts = addTallies(before, written, ended);
  db.prepare('UPDATE stations SET counts = ? WHERE id = ?').run(JSON.stringify(counts), id);
  sealRows(db, 'stations', `id = ${id}`);
  return counts;
}

const createdResources =
  'resources INDEXED BY resources_by_creation WHERE station_id = ? AND created_revision = ?';
const updatedResources = `
  (SELECT id AS ended FROM past_versions WHERE station_id = ? AND until_revision = ? AND removed = 0)
  CROSS JOIN resources ON resources.id = ended`;

interface RecordedRevision {
  /** How many resources it created, updated or removed. */
  readonly changes: number;
  /** How many versions of resources begin with it; fewer once some of them are forgotten. */
  readonly versions: number;
  readonly changedBy?: string | undefined;
}

export function recordRevision(
  db: DatabaseSync,
  stationId: number,
  head: Head,
  { changes, versions, changedBy }: RecordedRevision,
): void {
  countWrite(db);
  db.prepare(
    `INSERT INTO revisions (station_id, revision, rev_id, committed_ms, changes, versions, changed_by, checksum)
     VALUES (?, ?, ?, ?, ?, ?, ?, 0)`,
  ).run(stationId, head.number, head.revId, Date.now(), changes, versions, changedBy ?? null);
  sealRows(db, 'revisions', `station_id = ${stationId} AND revision = ${head.number}`);
}
