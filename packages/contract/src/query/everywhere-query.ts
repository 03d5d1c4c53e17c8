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
    within: readStationFilters(given),
  };
}

/** The stations that a search looks at, whatever it looks for. */
export function parseStationFilters(search: string): StationFilters {
  return readStationFilters(
    new QueryParameters(search, rosterParameterNames.searchEverywhere, { family: labelFamily }),
  );
}

function readStationFilters(
  given: Pick<QueryParameters<(typeof stationFilterNames)[number]>, 'all'>,
): StationFilters {
  return {
    subscriptions: parseItems('subscription', given.all('subscription')),
    resourceGroups: parseItems('resource_group', given.all('resource_group')),
    zones: parseItems('zone', given.all('zone')),
    stations: parseItems('station', given.all('station'))?.map(parseStation),
  };
}

/** Whether filters want a station. Made once, because the lists may be as long as the list of stations. */
export function stationMatcher(filters: StationFilters): (address: StationAddress) => boolean {
  const subscriptions = filters.subscriptions && new Set(filters.subscriptions);
  const resourceGroups = filters.resourceGroups && new Set(filters.resourceGroups);
  const zones = filters.zones && new Set(filters.zones);
  const stations = filters.stations && new Set(filters.stations);
  const hasPaths = filters.stations?.some(isPath) ?? false;
  return (address) =>
    (subscriptions === undefined || subscriptions.has(address.subscription)) &&
    (resourceGroups === undefined || resourceGroups.has(address.resourceGroup)) &&
    (zones === undefined || zones.has(address.zone)) &&
    (stations === undefined ||
      stations.has(address.name) ||
      (hasPaths && stations.has(stationPath(address))));
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
