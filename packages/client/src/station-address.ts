import { encodeSegment, quote } from './check-argument.ts';
import { invalidArgument } from './errors.ts';

/** The four names that identify a station. */
export interface StationAddress {
  readonly subscription: string;
  readonly resourceGroup: string;
  readonly zone: string;
  readonly name: string;
}

const collections = ['subscriptions', 'resourceGroups', 'zones', 'telemetryStations'];
const forms =
  'subscription/resourceGroup/zone/name or subscriptions/…/resourceGroups/…/zones/…/telemetryStations/…';

/** Reads an address from a path, in its long form or as four names. Names are percent-decoded: write `/` as `%2F`. */
export function parseStationAddress(path: string): StationAddress {
  const segments = path.replace(/^\/|\/$/g, '').split('/');
  const isLong = segments.length === 8 && collections.every((each, at) => segments[at * 2] === each);
  const names = isLong ? segments.filter((_, at) => at % 2 === 1) : segments;
  if (names.length !== 4 || names.includes('')) {
    throw invalidArgument(`a station must be written as ${forms}, got ${quote(path)}`);
  }
  const [subscription, resourceGroup, zone, name] = names.map((each) => decode(each, path));
  return { subscription: subscription!, resourceGroup: resourceGroup!, zone: zone!, name: name! };
}

function decode(segment: string, path: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw invalidArgument(`the station ${quote(path)} is not valid percent-encoded UTF-8`);
  }
}

/** `subscriptions/…/resourceGroups/…/zones/…/telemetryStations/…`, each name percent-encoded. */
export function stationPath({ subscription, resourceGroup, zone, name }: StationAddress): string {
  return (
    `subscriptions/${encodeSegment('subscription', subscription)}` +
    `/resourceGroups/${encodeSegment('resourceGroup', resourceGroup)}` +
    `/zones/${encodeSegment('zone', zone)}/telemetryStations/${encodeSegment('name', name)}`
  );
}
