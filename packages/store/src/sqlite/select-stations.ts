import { isInScope, type StationAddress } from '@roster/contract';
import type { Station, StationPage, StationQuery } from '@roster/engine';

/** The page of stations that a query asks for, out of all of them in order. */
export function selectStations(sorted: readonly { station: Station }[], query: StationQuery): StationPage {
  const isWanted = filterOf(query);
  const matching = isWanted ? sorted.filter(({ station }) => isWanted(station.address)) : sorted;
  const page = matching.slice(query.offset, query.offset + query.limit);
  return { stations: page.map(({ station }) => station), total: matching.length };
}

const filteredParts = ['subscription', 'resourceGroup', 'zone', 'name'] as const;

/** Undefined when every station is wanted. */
function filterOf(query: StationQuery): ((address: StationAddress) => boolean) | undefined {
  const parts = filteredParts.filter((part) => query[part] !== undefined);
  const { namePrefix, scopes } = query;
  if (parts.length === 0 && namePrefix === undefined && scopes === undefined) return undefined;
  return (address) =>
    parts.every((part) => address[part] === query[part]) &&
    (namePrefix === undefined || address.name.startsWith(namePrefix)) &&
    (scopes === undefined || scopes.some((scope) => isInScope(scope, address)));
}
