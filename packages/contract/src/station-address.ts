import { RosterError } from './errors.ts';
import { limits } from './limits.ts';
import { quote } from './quote.ts';

/** The four names that identify a station. */
export interface StationAddress {
  readonly subscription: string;
  readonly resourceGroup: string;
  readonly zone: string;
  readonly name: string;
}

const keys = new WeakMap<StationAddress, string>();

/** A key that is equal for equal addresses. Built once per object. */
export function stationKey(address: StationAddress): string {
  const known = keys.get(address);
  if (known !== undefined) return known;
  const key = `${address.subscription}\0${address.resourceGroup}\0${address.zone}\0${address.name}`;
  keys.set(address, key);
  return key;
}

export function parseStationKey(key: string): StationAddress {
  const [subscription, resourceGroup, zone, name] = key.split('\0');
  return { subscription: subscription!, resourceGroup: resourceGroup!, zone: zone!, name: name! };
}

/** `subscriptions/…/resourceGroups/…/zones/…/telemetryStations/…`, each name percent-encoded. */
export function stationPath(address: StationAddress): string {
  const { subscription, resourceGroup, zone, name } = address;
  return (
    `subscriptions/${encodeURIComponent(subscription)}/resourceGroups/${encodeURIComponent(resourceGroup)}` +
    `/zones/${encodeURIComponent(zone)}/telemetryStations/${encodeURIComponent(name)}`
  );
}

const pathShape =
  /^\/?subscriptions\/([^/]+)\/resourceGroups\/([^/]+)\/zones\/([^/]+)\/telemetryStations\/([^/]+)$/;

/** Four names of maximum length, with nine characters for each one that is percent-encoded. */
const maxPathLength = 10_000;

/** For messages. */
export const stationPathShape =
  'subscriptions/<name>/resourceGroups/<name>/zones/<name>/telemetryStations/<name>';

/** Undefined for what is not a path as `stationPath` writes it. */
export function parseStationPath(path: string): StationAddress | undefined {
  const match = path.length > maxPathLength ? null : pathShape.exec(path);
  if (!match) return undefined;
  try {
    const names = match.slice(1).map(decodeURIComponent);
    if (!names.every((each) => each.isWellFormed())) return undefined;
    const [subscription, resourceGroup, zone, name] = names;
    return { subscription: subscription!, resourceGroup: resourceGroup!, zone: zone!, name: name! };
  } catch {
    return undefined;
  }
}

/** A path, or its four names: `acme/web/zone-1/shop`, percent-encoded in the same way. */
export function parseStation(text: string): StationAddress | undefined {
  const names = text.split('/');
  if (names.length !== 4) return parseStationPath(text);
  const [subscription, resourceGroup, zone, name] = names;
  return parseStationPath(
    `subscriptions/${subscription}/resourceGroups/${resourceGroup}/zones/${zone}/telemetryStations/${name}`,
  );
}

/** All of it with names that people give: the last one, which may be the wrong one, must not be cut off. */
const maxShownPath = 500;

export function stationNotFound(address: StationAddress): RosterError {
  return new RosterError(
    'station_not_found',
    `there is no station ${quote(stationPath(address), maxShownPath)}`,
  );
}

const partNames = ['subscription', 'resourceGroup', 'zone', 'name'] as const;

const parameterNames = {
  subscription: 'subscription_name',
  resourceGroup: 'resource_group_name',
  zone: 'zone',
  name: 'telemetry_station_name',
} as const;

/** Reads accept any address; a new station needs names that every client can type. */
export function checkNewStationAddress(address: StationAddress): void {
  for (const part of partNames) {
    const value = address[part];
    const error = pathNameError(value, limits.maxAddressPartLength);
    if (error !== undefined) {
      const parameter = parameterNames[part];
      throw new RosterError('invalid_parameter', `${parameter} ${error}, got ${quote(value)}`, { parameter });
    }
  }
}

/** The error in a name that is part of a path. */
export function pathNameError(value: string, maxLength: number): string | undefined {
  if (value === '' || value.length > maxLength) return `must have 1 to ${maxLength} characters`;
  if (/[\p{Cc}\p{Cs}]/u.test(value)) return 'must not contain control characters';
  if (value !== value.trim()) return 'must not begin or end with a blank';
  if (value === '.' || value === '..') return 'must not be a relative path segment';
  return undefined;
}
