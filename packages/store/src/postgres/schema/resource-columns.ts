import { type Resource, resourceDefaults } from '@roster/contract';
import type { StationPart } from '@roster/engine/port';
import { resourceColumnNames, toResource, writtenColumns } from '../../shared/resource-columns.ts';
import { isSound } from './row-checksums.ts';

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

/** The SQL condition that a resource is alerting. */
export const isAlerting = `state <> '${resourceDefaults.state}'`;

/** Selects columns of the resources `r` of a part. `station` is a condition on the station's id, such as `= 1`. */
export function selectPart(columns: string, part: StationPart, station: string): string {
  if (part !== 'alerting') {
    const isWanted = part === 'uncovered' ? 'r.uncovered AND' : '';
    return `SELECT ${columns} FROM resources r WHERE r.station_id ${station} AND ${isWanted} ${isSound('resources', 'r')}`;
  }
  // The offset keeps PostgreSQL from reading all resources instead.
  return `
    SELECT ${columns} FROM alerting a, LATERAL (
      SELECT * FROM resources x
      WHERE x.station_id = a.station_id AND x.resource_id = a.resource_id AND x.${isAlerting}
        AND ${isSound('resources', 'x')}
      OFFSET 0
    ) r
    WHERE a.station_id ${station}`;
}

/** The creation time of resources that come without one. */
export function now(): string {
  return new Date().toISOString();
}

/** Like `toResource`; undefined where an outer join found nothing. */
export function toOptionalResource(row: readonly unknown[], at: number): Resource | undefined {
  return row[at] === null ? undefined : toResource(row, at);
}
