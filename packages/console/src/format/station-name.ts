import { parseStationAddress, type StationAddress } from '@roster/client';

/** The address in a path such as `subscriptions/…/telemetryStations/…`; undefined if it is only a name. */
export function addressOf(path: string): StationAddress | undefined {
  try {
    return parseStationAddress(path);
  } catch {
    return undefined;
  }
}

const segment = '[^/\\s"]+';
const stationPaths = new RegExp(
  `subscriptions/(${segment})/resourceGroups/(${segment})/zones/(${segment})/telemetryStations/([^/\\s":,;]+)`,
  'g',
);

/** A sentence of the server, with each path of a station cut down to its four names. */
export function withShortStations(text: string): string {
  return text.replace(stationPaths, '$1/$2/$3/$4');
}

/** The name of a station without the rest of its path. */
export function stationName(path: string): string {
  return addressOf(path)?.name ?? path;
}
