import { limits } from '../limits.ts';
import { parseCount } from './parse-parameter.ts';
import { QueryParameters } from './query-parameters.ts';
import { rosterParameterNames } from './roster-parameters.ts';

export interface StationsQuery {
  readonly subscription: string | undefined;
  readonly resourceGroup: string | undefined;
  readonly zone: string | undefined;
  readonly name: string | undefined;
  readonly namePrefix: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

export function parseStationsQuery(search: string): StationsQuery {
  const given = new QueryParameters(search, rosterParameterNames.listStations);
  parseCount('page.total', given.one('page.total'), Number.MAX_SAFE_INTEGER);
  return {
    subscription: given.one('subscription_name'),
    resourceGroup: given.one('resource_group_name'),
    zone: given.one('zone'),
    name: given.one('telemetry_station_name'),
    namePrefix: given.one('telemetry_station_name_prefix'),
    offset: parseCount('page.offset', given.one('page.offset'), Number.MAX_SAFE_INTEGER) ?? 0,
    limit: parseCount('page.size', given.one('page.size'), limits.maxPageSize) ?? limits.defaultPageSize,
  };
}
