import { RosterError } from '../errors.ts';
import { decodeParameter } from '../query/parameter-text.ts';
import { parseItems } from '../query/parse-parameter.ts';
import { QueryParameters } from '../query/query-parameters.ts';
import { rosterParameterNames, searchParameterNames } from '../query/roster-parameters.ts';
import { labelFamily, parseSearchQuery } from '../query/search-query.ts';
import { quote } from '../quote.ts';

/** The filters that only a search of all stations has. */
const stationFilterNames = ['subscription', 'resource_group', 'zone', 'station'] as const;

const pageNames: readonly string[] = rosterParameterNames.runView;
const storedNames: readonly string[] = searchParameterNames.filter((name) => !pageNames.includes(name));
const everywhereNames: readonly string[] = [...stationFilterNames, ...storedNames];

/**
 * The text that a search is stored as: parameters in a fixed order, lists joined by commas, nothing empty. Throws what
 * the search itself would throw.
 */
export function canonicalViewQuery(search: string, over: 'station' | 'everything'): string {
  const names = namesIn(search);
  const page = names.find((name) => pageNames.includes(name));
  if (page !== undefined) throw refuse(page, 'is not part of a view; give it when you run the view');
  if (over === 'station') parseSearchQuery(search);
  else checkEverywhereQuery(search);
  const known = over === 'station' ? storedNames : everywhereNames;
  const given = new QueryParameters(search, known, { family: labelFamily });
  const values = known.map((name) => [name, given.all(name)] as const);
  const labels = [...given.family()].sort(([a], [b]) => (a < b ? -1 : 1));
  return [...values, ...labels]
    .filter(([, list]) => list.length > 0)
    .map(([name, list]) => `${name}=${encode(list.join(','))}`)
    .join('&');
}

/** The query string of a search for a view. Throws if `search`, the one of the request, has more than a page. */
export function searchOfView(query: string, search: string): string {
  const known = namesIn(search).find(
    (name) => name.startsWith(labelFamily) || everywhereNames.includes(name),
  );
  if (known !== undefined) {
    throw refuse(known, 'is up to the view; only page.offset and page.size can be given when it is run');
  }
  // Refuses all other parameters.
  new QueryParameters(search, rosterParameterNames.runView);
  return [query, search].filter((text) => text !== '').join('&');
}

/** Checks the four filters by station, and leaves the rest to the search of one station. */
function checkEverywhereQuery(search: string): void {
  const isOfStation = (pair: string) => (stationFilterNames as readonly string[]).includes(namesIn(pair)[0]!);
  const pairs = search.split('&').filter((pair) => pair !== '');
  parseSearchQuery(pairs.filter((pair) => !isOfStation(pair)).join('&'));
  const given = new QueryParameters(pairs.filter(isOfStation).join('&'), stationFilterNames);
  for (const name of stationFilterNames) parseItems(name, given.all(name));
}

function namesIn(search: string): string[] {
  const pairs = search.split('&').filter((pair) => pair !== '');
  return pairs.map((pair) => pair.split('=', 1)[0]!).map((name) => decodeParameter(name, name));
}

/** Readable: commas, colons and slashes mean nothing in a query string. */
function encode(value: string): string {
  return encodeURIComponent(value).replace(/%2C|%3A|%2F/g, decodeURIComponent);
}

function refuse(parameter: string, reason: string): RosterError {
  return new RosterError('invalid_parameter', `${quote(parameter)} ${reason}`, { parameter });
}
