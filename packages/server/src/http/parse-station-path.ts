import { RosterError, type StationAddress } from '@roster/contract';

const prefix = '/monitor/ts/data/v1/subscriptions/';

/** The station that a list path names; undefined when the path is not one of the list operation. */
export function parseStationPath(path: string): StationAddress | undefined {
  if (!path.startsWith(prefix)) return undefined;
  const parts = path.slice(prefix.length).split('/');
  const [subscription, groups, resourceGroup, zones, zone, stations, name, resources] = parts;
  const isListPath =
    parts.length === 8 &&
    groups === 'resourceGroups' &&
    zones === 'zones' &&
    stations === 'telemetryStations' &&
    resources === 'resources';
  if (!isListPath) return undefined;
  return {
    subscription: decodePart('subscription_name', subscription!),
    resourceGroup: decodePart('resource_group_name', resourceGroup!),
    zone: decodePart('zone', zone!),
    name: decodePart('telemetry_station_name', name!),
  };
}

function decodePart(parameter: string, text: string): string {
  if (text === '')
    throw new RosterError('invalid_parameter', `${parameter} must not be empty`, { parameter });
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RosterError('invalid_parameter', `${parameter} is not valid percent-encoded UTF-8`, {
      parameter,
    });
  }
}
