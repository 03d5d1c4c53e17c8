import type { Scope } from '@roster/contract';
import type { Station, StationPage, StationQuery } from '@roster/engine/port';
import type { ClientBase } from 'pg';
import {
  addressColumns,
  type StoredAddress,
  type StoredStation,
  stationColumns,
  toAddress,
  toStation,
} from '../../shared/stations.ts';
import { isStorable } from '../schema/find-station.ts';
import { isSound } from '../schema/row-checksums.ts';

type ListedStation = StoredStation & StoredAddress;

/** One statement, so the total matches the page. An empty page is one row without a station. */
export async function selectStations(client: ClientBase, query: StationQuery): Promise<StationPage> {
  const filters = [query.subscription, query.resourceGroup, query.zone, query.name, query.namePrefix];
  if (!filters.every((filter) => filter === undefined || isStorable(filter)))
    return { stations: [], total: 0 };
  const values: unknown[] = [...filters.map((filter) => filter ?? null), query.offset, query.limit];
  const inScope = scopeCondition(query.scopes, (value) => `$${values.push(value)}`);
  const { rows } = await client.query<ListedStation & { total: number }>(selectSql(inScope), values);
  return { stations: rows.filter(({ id }) => id !== null).map(toListed), total: rows[0]!.total };
}

const selectSql = (inScope: string) => `
  WITH matching AS (
    SELECT ${stationColumns}, address, ${addressColumns.join(', ')}
    FROM stations
    WHERE ($1::text IS NULL OR subscription = $1) AND ($2::text IS NULL OR resource_group = $2)
      AND ($3::text IS NULL OR zone = $3) AND ($4::text IS NULL OR name = $4)
      AND ($5::text IS NULL OR starts_with(name, $5)) AND (${inScope}) AND ${isSound('stations')}
  ), page AS (
    SELECT * FROM matching ORDER BY address OFFSET $6 LIMIT $7
  )
  SELECT counted.total, page.*
  FROM (SELECT count(*) AS total FROM matching) AS counted LEFT JOIN page ON true
  ORDER BY page.address
`;

/** `isInScope` for any of the scopes. A scope with text that PostgreSQL cannot store matches no station. */
function scopeCondition(
  scopes: readonly Scope[] | undefined,
  addParameter: (value: string) => string,
): string {
  if (scopes === undefined) return 'true';
  const conditions = scopes
    .filter(({ parts }) => parts.every(({ text }) => isStorable(text)))
    .map(({ parts }) => {
      const matches = parts.map(({ match, text }, index) => {
        const [column, value] = [addressColumns[index], addParameter(text)];
        return match === 'name' ? `${column} = ${value}` : `starts_with(${column}, ${value})`;
      });
      return ['true', ...matches].join(' AND ');
    });
  return ['false', ...conditions].join(' OR ');
}

function toListed(row: ListedStation): Station {
  const { head, counts } = toStation(row);
  return { address: toAddress(row), head, counts };
}
