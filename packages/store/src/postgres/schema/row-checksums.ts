import { resourceColumnNames } from '../../shared/resource-columns.ts';

/**
 * Every row has the MD5 of its columns in a generated column, so writes need not compute it. PostgreSQL's own
 * page checksums are off in many databases created before version 18.
 */
const checkedColumns = {
  stations: [
    'id',
    'revision',
    'oldest_revision',
    'subscription',
    'resource_group',
    'zone',
    'name',
    'epoch',
    'rev_id',
    'counts',
  ],
  resources: ['station_id', 'id', 'revision', ...resourceColumnNames],
  past_versions: ['station_id', 'id', 'revision', 'until_revision', 'removed', ...resourceColumnNames],
  resource_types: ['key', 'product', 'alertable', 'labels'],
} as const;

export type CheckedTable = keyof typeof checkedColumns;

/**
 * A SQL condition that raises an error instead of being false. Check a row before changing it: the new
 * checksum would hide the damage.
 */
export function isSound(table: CheckedTable, alias: string = table): string {
  return `CASE WHEN ${alias}.checksum = ${rowChecksum(table, alias)} THEN true ELSE roster_damaged() END`;
}

/** The SQL of the expected checksum of a row of a table or its alias. */
export function rowChecksum(table: CheckedTable, alias: string = table): string {
  const texts = checkedColumns[table].map((column) => `${alias}.${column}::text`);
  return `md5(${texts.join(" || E'\\x1f' || ")})::uuid`;
}
