import {
  allowsName,
  isInScope,
  parseStationFilters,
  parseStationPath,
  type Scope,
  type ViewSearch,
} from '@roster/contract';
import type { Principal } from '../../http/principal.ts';

/** Whether the scopes of a caller allow every name of a station that a view for all stations mentions. */
export function coversNames({ scopes }: Principal, { query }: ViewSearch): boolean {
  if (scopes.some(({ parts }) => parts.length === 0)) return true;
  const { subscriptions, resourceGroups, zones, stations } = parseStationFilters(query);
  const areAllowed = (
    names: readonly string[] | undefined,
    isAllowed: (scope: Scope, name: string) => boolean,
  ) => names?.every((name) => scopes.some((scope) => isAllowed(scope, name))) ?? true;
  return (
    areAllowed(subscriptions, (scope, name) => allowsName(scope, 'subscription', name)) &&
    areAllowed(resourceGroups, (scope, name) => allowsName(scope, 'resourceGroup', name)) &&
    areAllowed(zones, (scope, name) => allowsName(scope, 'zone', name)) &&
    areAllowed(stations, allowsStation)
  );
}

/** A name, or a path. */
function allowsStation(scope: Scope, station: string): boolean {
  const address = parseStationPath(station);
  return address === undefined ? allowsName(scope, 'name', station) : isInScope(scope, address);
}
