import type { DatabaseSync } from 'node:sqlite';
import { optionalColumnNames } from '../shared/resource-columns.ts';
import type { StagedBatch } from './find-batch-faults.ts';

/** How a batch differs from the station. The rows themselves are in `temp.changing` and `temp.leaving`. */
export interface BatchDifference {
  readonly created: number;
  readonly updated: number;
  /** How many of the updated resources get another name. */
  readonly renamed: number;
  readonly removed: number;
}

/**
 * `changing` holds the records that create a resource, without its id, or update one. `leaving` holds the
 * resources that a replace removes, in the order of their resource ids.
 */
export function createComparisonTables(db: DatabaseSync): void {
  db.exec(`
    CREATE TEMP TABLE changing (position INTEGER PRIMARY KEY, id INTEGER, renames INTEGER);
    CREATE TEMP TABLE leaving (place INTEGER PRIMARY KEY, id INTEGER);
  `);
}

/** Plans and commits both begin here, which is why they agree. Runs inside the caller's transaction. */
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
  const differs = ['name', 'type_key', ...optionalColumnNames].map((column) => `r.${column} <> s.${column}`);
  return `
    INSERT INTO temp.changing (position, id, renames)
    SELECT s.position, r.id, r.name <> s.name
    FROM ${table} s
    LEFT JOIN resources r ON r.station_id = :station AND r.resource_id = s.resource_id
    WHERE r.id IS NULL OR ${differs.join(' OR ')}
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
