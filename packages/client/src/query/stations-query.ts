import { checkCount, quote, refuseUnknownMembers } from '../check-argument.ts';
import { invalidArgument } from '../errors.ts';

export interface StationFilters {
  readonly subscription?: string | undefined;
  readonly resourceGroup?: string | undefined;
  readonly zone?: string | undefined;
  readonly name?: string | undefined;
  readonly namePrefix?: string | undefined;
}

export interface StationsQuery extends StationFilters {
  readonly offset?: number | undefined;
  readonly size?: number | undefined;
}

const parameterNames = {
  subscription: 'subscription_name',
  resourceGroup: 'resource_group_name',
  zone: 'zone',
  name: 'telemetry_station_name',
  namePrefix: 'telemetry_station_name_prefix',
  offset: 'page.offset',
  size: 'page.size',
} as const satisfies Record<keyof StationsQuery, string>;

export function encodeStationsQuery(query: StationsQuery): URLSearchParams {
  refuseUnknownMembers('the query', query, Object.keys(parameterNames));
  const parameters = new URLSearchParams();
  for (const [member, value] of Object.entries(query)) {
    if (value === undefined || (member === 'namePrefix' && value === '')) continue;
    parameters.append(parameterNames[member as keyof StationsQuery], encodeValue(member, value));
  }
  return parameters;
}

function encodeValue(member: string, value: unknown): string {
  if (member === 'offset' || member === 'size') return String(checkCount(member, value));
  if (typeof value === 'string' && value !== '') return value;
  throw invalidArgument(`${member} must be a non-empty string, or omitted, got ${quote(value)}`);
}
