import { parseStationAddress, type StationAddress } from '@roster/client';

/** The address in a path such as `subscriptions/…/telemetryStations/…`; undefined if it is only a name. */
export function addressOf(path: string): StationAddress | undefined {
  try {
    return parseStationAddress(path);
  } catch {
    return undefined;
  }
}

/** The name of a station without the rest of its path. */
export function stationName(path: string): string {
  return addressOf(path)?.name ?? path;
}
