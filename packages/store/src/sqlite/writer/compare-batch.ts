import type { DatabaseSync } from 'node:sqlite';
import { type BatchDifference, recordDiffers } from '../../shared/batches.ts';
import type { StagedBatch } from './find-record-errors.ts';

/**
 * `changing` holds records that create a resource (no id) or update one. `leaving` holds the resources that a
 * replace removes, by resource id.
 */
export function createComparisonTables(db: DatabaseSync): void {
  db.exec(`
    CREATE TEMP TABLE changing (position INTEGER PRIMARY KEY, id INTEGER, renames INTEGER);
    CREATE TEMP TABLE leaving (position INTEGER PRIMARY KEY, id INTEGER);
  `);
}

/** Plans and commits agree because both start here. Runs in the caller's transaction. */
export function compareBatch(db: DatabaseSync, batch: StagedBatch): BatchDifference {
  db.exec('DELETE FROM temp.changing; DELETE FROM temp.leaving');
  const station = { station: batch.stationId };
  db.prepare(changingSql(batch.table)).run(station);
  const removed = batch.replaces ? db.prepare(leavingSql(batch.table)).run(station).changes : 0;
  const row = db
    .prepare(
      `SELECT count(*) - count(id) AS created, count(id) AS updated, coalesce(sum(renames), 0) AS renamed
       FROM temp.changing`,
    )
    .get() as { created: number; updated: number; renamed: number };
  return { ...row, removed: Number(removed) };
}

function changingSql(table: string): string {
  return `
    INSERT INTO temp.changing (position, id, renames)
    SELECT s.position, r.id, r.name <> s.name
    FROM ${table} s
    LEFT JOIN resources r ON r.station_id = :station AND r.resource_id = s.resource_id
    WHERE r.id IS NULL OR ${recordDiffers}
  `;
}

function leavingSql(table: string): string {
  return `
    INSERT INTO temp.leaving (id)
    SELECT id FROM resources INDEXED BY resources_by_resource_id
    WHERE station_id = :station AND resource_id NOT IN (SELECT resource_id FROM ${table})
    ORDER BY resource_id
  `;
}
