import type { DatabaseSync } from 'node:sqlite';
import type { BatchDifference } from '../../shared/batches.ts';
import {
  optionalColumnNames,
  patchedColumn,
  resourceColumns,
  resourceColumnsOf,
} from '../../shared/resource-columns.ts';
import { asInteger, mergedColumn, newColumns, type WriteTime } from '../database/resource-columns.ts';
import { checksumOf, isSound, textsChecksum } from '../database/row-checksums.ts';
import { hasRow } from '../database/rows.ts';
import type { StagedBatch } from './compare-batch.ts';

export interface RowsToWrite extends StagedBatch {
  readonly revision: number;
  readonly time: WriteTime;
}

/**
 * Inserts staged records `s` as new resources. A conflict rolls the transaction back, which saves a journal of the
 * statement unless it calls functions. The statement for complete records is faster.
 */
export function insertNewSql(from: string, { areComplete }: { areComplete: boolean }): string {
  const revision = asInteger(':revision');
  const numbers = [asInteger(':station'), revision, revision];
  const written = areComplete ? resourceColumnsOf('s') : newColumns;
  const texts = areComplete ? 's.checksum' : `coalesce(s.checksum, ${textsChecksum(newColumns)})`;
  return `
    INSERT OR ROLLBACK INTO resources (station_id, revision, created_revision, ${resourceColumns}, checksum)
    SELECT ${numbers.join(', ')}, ${written}, ${checksumOf(texts, numbers)}
    FROM ${from}
  `;
}

/** The parameters of `insertNewSql`. */
export function newParameters(rows: RowsToWrite): Record<string, string | number> {
  return { ...parameters(rows), station: rows.stationId };
}

/** Inserts all staged records. Returns how many rows were written. */
export function insertStaged(
  db: DatabaseSync,
  table: string,
  parameters: ReturnType<typeof newParameters>,
): number {
  return Number(db.prepare(insertNewSql(`${table} s`, { areComplete: false })).run(parameters).changes);
}

export function isStationEmpty(db: DatabaseSync, stationId: number): boolean {
  return !hasRow(db, 'SELECT 1 FROM resources WHERE station_id = ? LIMIT 1', stationId);
}

/**
 * Writes what `compareBatch` found. Names are freed first, by removals and renames, so that they can change
 * hands within a batch.
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
  const leaving = 'resources r WHERE r.id IN (SELECT id FROM temp.leaving)';
  endVersions(db, { revision, removed: true, of: `${leaving} AND ${isSound('resources', 'r')}` });
  db.exec('DELETE FROM resources WHERE id IN (SELECT id FROM temp.leaving)');
}

/** In the order of the rows: past versions are then appended, and each page is changed once. */
const updating = '(SELECT id, position, checksum FROM temp.changing WHERE id IS NOT NULL ORDER BY id) c';

function keepUpdated(db: DatabaseSync, { revision }: RowsToWrite): void {
  endVersions(db, { revision, removed: false, of: `${updating} CROSS JOIN resources r ON r.id = c.id` });
}

/** No resource can have such a name: records allow no control characters. */
function setNamesAside(db: DatabaseSync): void {
  db.exec(
    'UPDATE OR ROLLBACK resources SET name = char(1) || id WHERE id IN (SELECT id FROM temp.changing WHERE renames = 1)',
  );
}

/**
 * Assigns only what the records have: SQLite writes an index again if one of its columns is assigned, the same value or
 * not. Names come later; checksums already cover them.
 */
function updateResources(db: DatabaseSync, rows: RowsToWrite): void {
  const { given } = rows;
  const assignments = optionalColumnNames
    .filter((column) => given.has(column) || (column === 'state_since' && given.has('state')))
    .map((column) => `${column} = ${mergedColumn(column)}, `);
  if (given.has('type_key')) assignments.push(`type_key = ${patchedColumn('type_key')}, `);
  const numbers = ['r.station_id', asInteger(':revision'), 'r.created_revision'];
  const update = db.prepare(
    `UPDATE OR ROLLBACK resources AS r SET ${assignments.join('')} revision = :revision,
       checksum = ${checksumOf('c.checksum', numbers)}
     FROM ${updating} CROSS JOIN ${rows.table} s
     WHERE s.position = c.position AND r.id = c.id`,
  );
  // Only some assignments need the time.
  update.setAllowUnknownNamedParameters(true);
  update.run(parameters(rows));
}

function giveNames(db: DatabaseSync, { table }: RowsToWrite): void {
  db.exec(
    `UPDATE OR ROLLBACK resources AS r SET name = s.name
     FROM temp.changing c CROSS JOIN ${table} s
     WHERE c.renames = 1 AND s.position = c.position AND r.id = c.id`,
  );
}

function insertResources(db: DatabaseSync, rows: RowsToWrite): void {
  const created = `temp.changing c CROSS JOIN ${rows.table} s WHERE c.id IS NULL AND s.position = c.position`;
  db.prepare(insertNewSql(created, { areComplete: false })).run(newParameters(rows));
}

function parameters({ revision, time }: RowsToWrite): Record<string, string | number> {
  return { ...time, revision };
}

interface EndOfVersions {
  readonly revision: number;
  readonly removed: boolean;
  /** The resources `r`, as SQL; they must have been verified. */
  readonly of: string;
}

/** Keeps resources as past versions before a write changes or removes them. */
function endVersions(db: DatabaseSync, { revision, removed, of }: EndOfVersions): void {
  db.prepare(
    `INSERT OR ROLLBACK INTO past_versions
       (station_id, revision, id, until_revision, removed, created_revision, ${resourceColumns}, checksum)
     SELECT ${numbers.join(', ')}, ${resourceColumnsOf('r')}, ${checksumOf(textsChecksumOfResource, numbers)}
     FROM ${of}`,
  ).run(revision, Number(removed));
}

const numbers = [
  'r.station_id',
  'r.revision',
  'r.id',
  asInteger('?1'),
  asInteger('?2'),
  'r.created_revision',
];
const textsChecksumOfResource = '(r.checksum & 4294967295)';
