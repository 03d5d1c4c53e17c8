import type { DatabaseSync } from 'node:sqlite';
import type { BatchDifference } from '../../shared/batches.ts';
import {
  optionalColumnNames,
  patchedColumn,
  resourceColumns,
  resourceColumnsOf,
} from '../../shared/resource-columns.ts';
import {
  asInteger,
  mergedColumn,
  mergedColumns,
  newColumns,
  writeTime,
} from '../database/resource-columns.ts';
import { checksumOf, isSound, textsChecksum } from '../database/row-checksums.ts';
import { hasRow } from '../database/rows.ts';
import type { StagedBatch } from './compare-batch.ts';

export interface RowsToWrite extends StagedBatch {
  readonly revision: number;
}

/**
 * Inserts staged records `s` as new resources. A conflict rolls the transaction back, which saves a journal.
 * The statement for complete records is faster.
 */
export function insertNewSql(from: string, { areComplete }: { areComplete: boolean }): string {
  const numbers = [asInteger(':station'), asInteger(':revision')];
  const written = areComplete ? resourceColumnsOf('s') : newColumns;
  const texts = areComplete ? 's.checksum' : checksumOfWritten(newColumns);
  return `
    INSERT OR ROLLBACK INTO resources (station_id, revision, ${resourceColumns}, checksum)
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
  endVersions(db, { revision, removed: true, of: 'resources r WHERE r.id IN (SELECT id FROM temp.leaving)' });
  db.exec('DELETE FROM resources WHERE id IN (SELECT id FROM temp.leaving)');
}

/** In the order of the rows: past versions are then appended, and their index is not searched for each of them. */
const inOrder = '(SELECT id FROM temp.changing WHERE id IS NOT NULL ORDER BY id)';

function keepUpdated(db: DatabaseSync, { revision }: RowsToWrite): void {
  endVersions(db, {
    revision,
    removed: false,
    of: `${inOrder} c CROSS JOIN resources r ON r.id = c.id WHERE true`,
  });
}

/** No resource can have such a name: records allow no control characters. */
function setNamesAside(db: DatabaseSync): void {
  db.exec(
    'UPDATE resources SET name = char(1) || id WHERE id IN (SELECT id FROM temp.changing WHERE renames = 1)',
  );
}

/**
 * Assigns only what the records have: SQLite writes an index again if one of its columns is assigned, the same value or
 * not. Names come later; checksums already cover them. The old versions were verified when they were kept.
 */
function updateResources(db: DatabaseSync, rows: RowsToWrite): void {
  const { given } = rows;
  const assignments = optionalColumnNames
    .filter((column) => given.has(column) || (column === 'state_since' && given.has('state')))
    .map((column) => `${column} = ${mergedColumn(column)}, `);
  if (given.has('type_key')) assignments.push(`type_key = ${patchedColumn('type_key')}, `);
  db.prepare(
    `UPDATE resources AS r SET ${assignments.join('')} revision = :revision,
       checksum = ${checksumOf(checksumOfWritten(mergedColumns), ['r.station_id', asInteger(':revision')])}
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
  db.prepare(insertNewSql(created, { areComplete: false })).run(newParameters(rows));
}

function parameters({ revision }: RowsToWrite): Record<string, string | number> {
  return { ...writeTime(), revision };
}

/** The checksum of a complete record `s` is known already. */
function checksumOfWritten(columns: string): string {
  return `coalesce(s.checksum, ${textsChecksum(columns)})`;
}

interface EndOfVersions {
  readonly revision: number;
  readonly removed: boolean;
  /** The resources, as SQL with the alias `r` that ends with a condition. */
  readonly of: string;
}

/**
 * Keeps resources as past versions before a write changes or removes them. Throws `data_damaged` for a
 * damaged one, because omitted fields would be taken from it and a new checksum would hide the damage.
 */
function endVersions(db: DatabaseSync, { revision, removed, of }: EndOfVersions): void {
  db.prepare(
    `INSERT INTO past_versions
       (station_id, revision, id, until_revision, removed, ${resourceColumns}, checksum)
     SELECT ${numbers.join(', ')}, ${resourceColumnsOf('r')}, ${checksumOf(textsChecksumOfResource, numbers)}
     FROM ${of} AND ${isSound('resources', 'r')}`,
  ).run(revision, Number(removed));
}

const numbers = ['r.station_id', 'r.revision', 'r.id', asInteger('?1'), asInteger('?2')];
const textsChecksumOfResource = '(r.checksum & 4294967295)';
