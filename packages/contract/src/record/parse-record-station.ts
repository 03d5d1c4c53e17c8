import { quote } from '../quote.ts';
import { stationPath } from '../station-address.ts';

const pathShape =
  /^\/?subscriptions\/([^/]+)\/resourceGroups\/([^/]+)\/zones\/([^/]+)\/telemetryStations\/([^/]+)$/;

/** Four names of maximum length, with nine characters for each one that is percent-encoded. */
const maxPathLength = 10_000;

/** The error in the `station` field of a record; `expected` is the path of the station being written. */
export function recordStationError(value: unknown, expected: string | undefined): string | undefined {
  if (value === null || value === expected) return undefined;
  const path = typeof value === 'string' ? normalPath(value) : undefined;
  if (path === undefined) {
    const shape = 'subscriptions/<name>/resourceGroups/<name>/zones/<name>/telemetryStations/<name>';
    return `must have the form ${shape}, got ${quote(value)}`;
  }
  if (expected === undefined || path === expected) return undefined;
  return `belongs to station ${path}; this request writes to ${expected}`;
}

/** The path in the form of `stationPath`; undefined if it is not one. */
function normalPath(path: string): string | undefined {
  const match = path.length > maxPathLength ? null : pathShape.exec(path);
  if (!match) return undefined;
  try {
    const [subscription, resourceGroup, zone, name] = match.slice(1).map(decodeURIComponent);
    return stationPath({
      subscription: subscription!,
      resourceGroup: resourceGroup!,
      zone: zone!,
      name: name!,
    });
  } catch {
    return undefined;
  }
}
