import { RosterError } from '../errors.ts';
import { limits } from '../limits.ts';
import { quote } from '../quote.ts';
import {
  parseStationPath,
  pathNameError,
  type StationAddress,
  stationPathShape,
} from '../station-address.ts';
import { readMembers, throwInvalidBody } from '../write/json-body.ts';
import { canonicalViewQuery } from './view-query.ts';

/** What a view searches for, and where. */
export interface ViewSearch {
  /** Undefined for all stations. */
  readonly station: StationAddress | undefined;
  /** The parameters of the search, in canonical form. */
  readonly query: string;
}

const memberNames = [
  'station',
  'query',
  'name',
  'shared',
  'path',
  'version',
  'changed_at',
  'changed_by',
] as const;

/** Reads the search of the view `name` from a parsed JSON body. Reports every error at once. */
export function parsePutView(name: string, input: unknown): ViewSearch {
  checkViewName(name);
  const errors: string[] = [];
  const { station: path, query, name: givenName } = readMembers(input, memberNames, errors);
  if (givenName !== undefined && givenName !== name) {
    errors.push(`name must be ${quote(name)} as in the path, or absent, got ${quote(givenName)}`);
  }
  const station = readStation(path, errors);
  const search = { station, query: readQuery(query, path === null ? 'everything' : 'station', errors) };
  throwInvalidBody(errors);
  return search;
}

function checkViewName(name: string): void {
  const error = pathNameError(name, limits.maxViewNameLength);
  if (error === undefined) return;
  throw new RosterError('invalid_parameter', `the name of a view ${error}, got ${quote(name)}`, {
    parameter: 'view_name',
  });
}

function readStation(value: unknown, errors: string[]): StationAddress | undefined {
  if (value === null) return undefined;
  if (value === undefined) {
    errors.push('station is required: the path of a station, or null for all stations');
    return undefined;
  }
  const address = typeof value === 'string' ? parseStationPath(value) : undefined;
  if (address === undefined) {
    errors.push(
      `station must have the form ${stationPathShape}, or be null for all stations, got ${quote(value)}`,
    );
  }
  return address;
}

function readQuery(value: unknown, over: 'station' | 'everything', errors: string[]): string {
  if (typeof value !== 'string' || !value.isWellFormed()) {
    errors.push(`query must be a string such as "state=firing&order_by=-state_since", got ${quote(value)}`);
    return '';
  }
  try {
    const query = canonicalViewQuery(value, over);
    if (query.length > limits.maxViewQueryLength) {
      errors.push(
        `query may have at most ${limits.maxViewQueryLength} characters when percent-encoded, has ${query.length}`,
      );
    }
    return query;
  } catch (error) {
    if (!(error instanceof RosterError)) throw error;
    errors.push(`query: ${error.message}`);
    return '';
  }
}
