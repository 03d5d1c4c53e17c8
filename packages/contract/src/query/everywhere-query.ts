import { parseStationPath, type StationAddress, stationPath, stationPathShape } from '../station-address.ts';
import { parseItems } from './parse-parameter.ts';
import { QueryParameters } from './query-parameters.ts';
import { rosterParameterNames, stationFilterNames } from './roster-parameters.ts';
import {
  facetFields,
  invalid,
  labelFamily,
  parseSearchParameters,
  type SearchQuery,
} from './search-query.ts';

/** Which stations to search. Filters combine with AND, the items of a list with OR. */
export interface StationFilters {
  readonly subscriptions: readonly string[] | undefined;
  readonly resourceGroups: readonly string[] | undefined;
  readonly zones: readonly string[] | undefined;
  /** Names, or paths as `stationPath` writes them. */
  readonly stations: readonly string[] | undefined;
}

/** A search over all stations. */
export interface EverywhereQuery extends SearchQuery {
  readonly within: StationFilters;
}

/** What can be counted by value in a search everywhere, besides the facets of one station. */
export const stationFacetFields = stationFilterNames;

/** Reads the query string after `?`. Throws `invalid_parameter` or `unknown_parameter`. */
export function parseEverywhereQuery(search: string): EverywhereQuery {
  const given = new QueryParameters(search, rosterParameterNames.searchEverywhere, { family: labelFamily });
  return {
    ...parseSearchParameters(given, [...stationFacetFields, ...facetFields]),
    within: {
      subscriptions: parseItems('subscription', given.all('subscription')),
      resourceGroups: parseItems('resource_group', given.all('resource_group')),
      zones: parseItems('zone', given.all('zone')),
      stations: parseItems('station', given.all('station'))?.map(parseStation),
    },
  };
}

export function isWithin(address: StationAddress, filters: StationFilters): boolean {
  const { subscriptions, resourceGroups, zones, stations } = filters;
  return (
    (subscriptions === undefined || subscriptions.includes(address.subscription)) &&
    (resourceGroups === undefined || resourceGroups.includes(address.resourceGroup)) &&
    (zones === undefined || zones.includes(address.zone)) &&
    (stations === undefined ||
      stations.includes(address.name) ||
      (stations.some(isPath) && stations.includes(stationPath(address))))
  );
}

function isPath(station: string): boolean {
  return station.includes('/');
}

function parseStation(text: string): string {
  if (!isPath(text)) return text;
  const address = parseStationPath(text);
  if (address !== undefined) return stationPath(address);
  throw invalid('station', `must be the name of a station, or ${stationPathShape}`, text);
}
