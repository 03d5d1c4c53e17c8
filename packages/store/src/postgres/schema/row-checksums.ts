import { resourceColumnNames } from '../../shared/resource-columns.ts';

/**
 * Every row has a checksum of its columns in a generated column, so writes need not compute it. PostgreSQL's own
 * page checksums are off in many databases created before version 18. MD5 takes five times as long as a hash, which
 * matters where there are many rows.
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
  resources: ['station_id', 'id', 'revision', 'created_revision', ...resourceColumnNames],
  past_versions: [
    'station_id',
    'id',
    'revision',
    'created_revision',
    'until_revision',
    'removed',
    ...resourceColumnNames,
  ],
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
  const isHashed = table === 'resources' || table === 'past_versions';
  const columns = checkedColumns[table].map((column) => `${alias}.${column}`);
  if (isHashed) return `hash_record_extended(ROW(${columns.join(', ')}), 0)`;
  const texts = columns.map((column) => `${column}::text`);
  return `md5(${texts.join(" || E'\\x1f' || ")})::uuid`;
}
