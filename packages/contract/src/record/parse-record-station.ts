import { quote } from '../quote.ts';
import { parseStationPath, stationPath, stationPathShape } from '../station-address.ts';

/** The error in the `station` field of a record; `expected` is the path of the station being written. */
export function recordStationError(value: unknown, expected: string | undefined): string | undefined {
  if (value === null || value === expected) return undefined;
  const address = typeof value === 'string' ? parseStationPath(value) : undefined;
  if (address === undefined) return `must have the form ${stationPathShape}, got ${quote(value)}`;
  const path = stationPath(address);
  if (expected === undefined || path === expected) return undefined;
  return `belongs to station ${path}; this request writes to ${expected}`;
}
