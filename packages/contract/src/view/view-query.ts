import { RosterError } from '../errors.ts';
import { parseEverywhereQuery } from '../query/everywhere-query.ts';
import { decodeParameter } from '../query/parameter-text.ts';
import { QueryParameters } from '../query/query-parameters.ts';
import { rosterParameterNames } from '../query/roster-parameters.ts';
import { invalid, labelFamily, parseSearchQuery } from '../query/search-query.ts';
import { quote } from '../quote.ts';
import { resolveTimes, timeNames } from './relative-times.ts';

const pageNames: readonly string[] = rosterParameterNames.runView;
const storedNames = rosterParameterNames.searchEverywhere.filter((name) => !pageNames.includes(name));

/**
 * The text that a search is stored as: parameters in a fixed order, lists joined by commas, nothing empty. Throws what
 * the search itself would throw. Times may be relative to when the view is run, such as `now-1h`.
 */
export function canonicalViewQuery(search: string, over: 'station' | 'everything'): string {
  const page = namesIn(search).find((name) => pageNames.includes(name));
  if (page !== undefined) throw refuse(page, 'is not part of a view; give it when you run the view');
  const given = new QueryParameters(search, storedNames, { family: labelFamily });
  const values = storedNames.map((name) => [name, given.all(name)] as const);
  const labels = [...given.family()].sort(([a], [b]) => (a < b ? -1 : 1));
  const parameters = [...values, ...labels].filter(([, list]) => list.length > 0);
  const each = parameters.flatMap(([name, list]) => list.map((value) => `${name}=${encode(value)}`));
  for (const name of timeNames) for (const text of given.all(name)) checkTime(name, text);
  const resolved = resolveTimes(each.join('&'), Date.now());
  if (over === 'station') parseSearchQuery(resolved);
  else parseEverywhereQuery(resolved);
  return parameters.map(([name, list]) => `${name}=${encode(list.join(','))}`).join('&');
}

/** Whether the text is a time is checked by the search itself, which knows no relative ones. */
function checkTime(parameter: string, text: string): void {
  if (/^(\d|now-\d{1,6}[smhd]$)/.test(text)) return;
  const forms =
    'an RFC 3339 time such as 2026-01-31T08:00:00.000Z, or how long ago in s, m, h or d, such as now-1h';
  throw invalid(parameter, `must be ${forms}`, text);
}

/** The query string of a search for a view. Throws if `search`, the one of the request, has more than a page. */
export function searchOfView(query: string, search: string): string {
  const known = namesIn(search).find(
    (name) => name.startsWith(labelFamily) || (storedNames as readonly string[]).includes(name),
  );
  if (known !== undefined) {
    throw refuse(known, 'is up to the view; only page.offset and page.size can be given when it is run');
  }
  // Refuses all other parameters.
  new QueryParameters(search, rosterParameterNames.runView);
  return [query, search].filter((text) => text !== '').join('&');
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
