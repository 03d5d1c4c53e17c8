import type { DatabaseSync } from 'node:sqlite';
import { optionalColumnNames, resourceColumns } from '../shared/resource-columns.ts';
import type { BatchDifference } from './compare-batch.ts';
import type { StagedBatch } from './find-batch-faults.ts';
import { endVersions } from './past-versions.ts';
import { defaultParameters, mergedColumn, newColumns } from './resource-columns.ts';

export interface RowsToWrite extends StagedBatch {
  readonly revision: number;
}

/** Makes new resources of staged records `s`. Rolls the transaction back on a conflict, which saves a journal. */
export function insertNewSql(from: string): string {
  return `
    INSERT OR ROLLBACK INTO resources (station_id, ${resourceColumns}, revision)
    SELECT :station, ${newColumns}, :revision FROM ${from}
  `;
}

/** The parameters of `insertNewSql`. */
export function newParameters(rows: RowsToWrite): Record<string, string | number> {
  return { ...parameters(rows), station: rows.stationId };
}

/** Makes new resources of all staged records. Returns how many rows were written. */
export function insertStaged(
  db: DatabaseSync,
  table: string,
  parameters: ReturnType<typeof newParameters>,
): number {
  return Number(db.prepare(insertNewSql(`${table} s`)).run(parameters).changes);
}

export function isStationEmpty(db: DatabaseSync, stationId: number): boolean {
  return db.prepare('SELECT 1 FROM resources WHERE station_id = ? LIMIT 1').get(stationId) === undefined;
}

/**
 * Writes what `compareBatch` has found. Names are free before they are given: first those of resources that
 * go, then those of all that are renamed, so that names can change hands within a batch.
 */
export function writeDifference(db: DatabaseSync, rows: RowsToWrite, difference: BatchDifference): void {
  if (difference.removed > 0) removeLeaving(db, rows);
  if (difference.updated > 0) keepUpdated(db, rows);
  if (difference.renamed > 0) setNamesAside(db);
  if (difference.updated > 0) updateResources(db, rows);
  if (difference.renamed > 0) giveNames(db, rows);
  if (difference.created > 0) insertResources(db, rows);
}

function removeLeaving(db: DatabaseSync, { revision }: RowsToWrite): void {
  endVersions(db, { revision, removed: true, of: 'resources r WHERE r.id IN (SELECT id FROM temp.leaving)' });
  db.exec('DELETE FROM resources WHERE id IN (SELECT id FROM temp.leaving)');
}

function keepUpdated(db: DatabaseSync, { revision }: RowsToWrite): void {
  endVersions(db, { revision, removed: false, of: 'temp.changing c CROSS JOIN resources r ON r.id = c.id' });
}

/** Records allow no control characters, so that no resource can have such a name. */
function setNamesAside(db: DatabaseSync): void {
  db.exec(
    'UPDATE resources SET name = char(1) || id WHERE id IN (SELECT id FROM temp.changing WHERE renames = 1)',
  );
}

/** Leaves the names as they are, whose index makes up a third of the time that an update takes. */
function updateResources(db: DatabaseSync, rows: RowsToWrite): void {
  const assignments = optionalColumnNames.map((column) => `${column} = ${mergedColumn(column)}`);
  db.prepare(
    `UPDATE resources AS r SET type_key = s.type_key, ${assignments.join(', ')}, revision = :revision
     FROM temp.changing c CROSS JOIN ${rows.table} s
     WHERE s.position = c.position AND r.id = c.id`,
  ).run(parameters(rows));
}

function giveNames(db: DatabaseSync, { table }: RowsToWrite): void {
  db.exec(
    `UPDATE resources AS r SET name = s.name
     FROM temp.changing c CROSS JOIN ${table} s
     WHERE c.renames = 1 AND s.position = c.position AND r.id = c.id`,
  );
}

function insertResources(db: DatabaseSync, rows: RowsToWrite): void {
  const created = `temp.changing c CROSS JOIN ${rows.table} s WHERE c.id IS NULL AND s.position = c.position`;
  db.prepare(insertNewSql(created)).run(newParameters(rows));
}

function parameters({ revision }: RowsToWrite): Record<string, string | number> {
  return { ...defaultParameters(), revision };
}
