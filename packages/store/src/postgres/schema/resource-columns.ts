import type { Resource } from '@roster/contract';
import { resourceColumnNames, toResource, writtenColumns } from '../../shared/resource-columns.ts';

export const resourceColumnCount = resourceColumnNames.length;

/** In statements with these expressions the first parameter is `now()`. */
export const {
  merged: mergedColumn,
  mergedColumns,
  newColumns,
} = writtenColumns({
  now: '$1',
  nowMs: 'floor(extract(epoch FROM $1::text::timestamptz) * 1000)::bigint',
});

/** The creation time of resources that come without one. */
export function now(): string {
  return new Date().toISOString();
}

/** Like `toResource`; undefined where an outer join found nothing. */
export function toOptionalResource(row: readonly unknown[], at: number): Resource | undefined {
  return row[at] === null ? undefined : toResource(row, at);
}
