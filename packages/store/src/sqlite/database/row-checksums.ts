import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { dataDamaged } from '@roster/contract';
import { resourceColumnNames } from '../../shared/resource-columns.ts';

/**
 * Every row has a checksum, because SQLite does not notice flipped bits: the CRC-32 of its texts, and above it, in other
 * bits, a remainder of its numbers. The two are separate because the texts of a resource are known before it has a
 * station and a revision, and computing a checksum before the row reaches SQLite costs a third.
 *
 * The id of a resource is not covered, since it is only known after writing. All rows are found through indexes: a
 * wrong id there finds another row, or none, which is an error.
 */
const checkedColumns = {
  stations: {
    texts: ['subscription', 'resource_group', 'zone', 'name', 'epoch', 'rev_id', 'counts'],
    numbers: ['id', 'revision', 'oldest_revision'],
  },
  // Without a writer, which is left out then, the checksum is the one from before there were writers.
  revisions: {
    texts: ['rev_id', 'changed_by'],
    numbers: ['station_id', 'revision', 'committed_ms', 'changes', 'versions'],
  },
  resources: { texts: resourceColumnNames, numbers: ['station_id', 'revision', 'created_revision'] },
  past_versions: {
    texts: resourceColumnNames,
    numbers: ['station_id', 'revision', 'id', 'until_revision', 'removed', 'created_revision'],
  },
  resource_types: { texts: ['key', 'labels', 'product', 'alertable'], numbers: [] },
} as const satisfies Record<string, { texts: readonly string[]; numbers: readonly string[] }>;

export type CheckedTable = keyof typeof checkedColumns;

/** No text contains control characters. */
export const separator = '\x1f';

/** The modulus is prime: changing any single bit of a number changes the remainder. */
const factors = [1, 31, 961, 29_791, 923_521, 7_919];
const modulus = 1_048_573;

/** Lets SQL compute checksums. Call it on every connection. */
export function addChecksumFunctions(db: DatabaseSync): void {
  db.function('text_checksum', { deterministic: true, directOnly: true }, (text) => crc32(String(text)));
  db.function('damaged', { directOnly: true }, () => {
    throw dataDamaged('the station');
  });
}

/** The SQL of the lower part of a checksum: the CRC-32 of texts joined by `separator`. */
export function textsChecksum(expressions: string): string {
  return `text_checksum(concat_ws(char(31), ${expressions}))`;
}

/** The SQL of a checksum, given its lower part and the numbers in the order of `checkedColumns`. */
export function checksumOf(texts: string, numbers: readonly string[]): string {
  if (numbers.length === 0) return texts;
  const sum = numbers.map((number, at) => `${number} * ${factors[at]}`).join(' + ');
  return `(${texts} + 4294967296 * ((${sum}) % ${modulus}))`;
}

/** A checksum, given its lower part and the numbers in the order of `checkedColumns`. */
export function checksumOfValues(texts: number, numbers: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < numbers.length; at++) sum += numbers[at]! * factors[at]!;
  return texts + 4294967296 * (sum % modulus);
}

/**
 * The SQL of the expected checksum of a row of a table or its alias. A flipped bit may turn a text into a BLOB of the
 * same bytes, which JSON functions read as something else: such a row has none. BLOBs sort after all other values.
 */
export function rowChecksum(table: CheckedTable, alias: string = table): string {
  const { texts, numbers } = checkedColumns[table];
  const of = (columns: readonly string[]) => columns.map((column) => `${alias}.${column}`);
  const last = `max(${of(texts)
    .map((text) => `coalesce(${text}, '')`)
    .join(', ')})`;
  return `iif(${last} < x'', ${checksumOf(textsChecksum(of(texts).join(', ')), of(numbers))}, -1)`;
}

/** A SQL condition that throws `data_damaged` instead of being false. */
export function isSound(table: CheckedTable, alias: string = table): string {
  return `CASE WHEN ${alias}.checksum = ${rowChecksum(table, alias)} THEN 1 ELSE damaged() END`;
}

/** Updates the checksums of rows after an intended change. */
export function sealRows(db: DatabaseSync, table: CheckedTable, where: string): void {
  db.exec(`UPDATE ${table} SET checksum = ${rowChecksum(table)} WHERE ${where}`);
}
