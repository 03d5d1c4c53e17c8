import { RosterError } from './errors.ts';
import { limits } from './limits.ts';
import type { ListQuery } from './list-query.ts';
import { nearestName } from './nearest-name.ts';
import { acceptedTypes, parseBoolean, parseCount, parseItems } from './parse-parameter.ts';
import { quote } from './quote.ts';

export const listParameterNames = [
  'resource_ids',
  'resource_type',
  'product',
  'resource_display_name_prefix',
  'page.offset',
  'page.size',
  'page.total',
  'enabled_alert',
  'resource_types',
] as const;

type ListParameterName = (typeof listParameterNames)[number];

const repeatable: ReadonlySet<string> = new Set<ListParameterName>(['resource_ids', 'resource_types']);

export interface ParseListQueryOptions {
  /** Refuse parameters the interface does not know, instead of ignoring them. */
  readonly strict: boolean;
}

/** Reads the part of a URL behind `?`. Throws `invalid_parameter` or `unknown_parameter`. */
export function parseListQuery(search: string, options: ParseListQueryOptions): ListQuery {
  const given = collectParameters(search, options);
  const one = (name: ListParameterName) => given[name] as string | undefined;
  const many = (name: ListParameterName) => given[name] as string[] | undefined;

  const offset = parseCount('page.offset', one('page.offset'), Number.MAX_SAFE_INTEGER);
  const size = parseCount('page.size', one('page.size'), limits.maxPageSize);
  const total = parseCount('page.total', one('page.total'), Number.MAX_SAFE_INTEGER);
  const paged = offset !== undefined || size !== undefined || total !== undefined;
  return {
    resourceIds: parseItems('resource_ids', many('resource_ids')),
    types: acceptedTypes(one('resource_type'), parseItems('resource_types', many('resource_types'))),
    product: one('product'),
    displayNamePrefix: one('resource_display_name_prefix'),
    alertableOnly: parseBoolean('enabled_alert', one('enabled_alert')) ?? false,
    page: paged ? { offset: offset ?? 0, size: size ?? limits.defaultPageSize } : null,
  };
}

type GivenParameters = { [name in ListParameterName]?: string | string[] };

function collectParameters(search: string, options: ParseListQueryOptions): GivenParameters {
  const given: GivenParameters = {};
  const encoded = search.includes('%') || search.includes('+');
  let start = 0;
  while (start < search.length) {
    let end = search.indexOf('&', start);
    if (end === -1) end = search.length;
    if (end > start) collectPair(given, encoded, search.slice(start, end), options);
    start = end + 1;
  }
  return given;
}

function collectPair(
  given: GivenParameters,
  encoded: boolean,
  pair: string,
  options: ParseListQueryOptions,
): void {
  const equals = pair.indexOf('=');
  const rawName = equals === -1 ? pair : pair.slice(0, equals);
  const name = encoded ? decode(rawName, rawName) : rawName;
  if (!isListParameter(name)) {
    if (options.strict) throw unknownParameter(name);
    return;
  }
  const rawValue = equals === -1 ? '' : pair.slice(equals + 1);
  if (rawValue === '') return;
  const value = encoded ? decode(rawValue, name) : rawValue;
  if (repeatable.has(name)) {
    const values = given[name] as string[] | undefined;
    if (values === undefined) given[name] = [value];
    else values.push(value);
  } else if (given[name] === undefined) given[name] = value;
  else {
    throw new RosterError('invalid_parameter', `${name} may be given once, got it twice`, {
      parameter: name,
    });
  }
}

function isListParameter(name: string): name is ListParameterName {
  return (listParameterNames as readonly string[]).includes(name);
}

function decode(text: string, parameter: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new RosterError(
      'invalid_parameter',
      `${quote(parameter)} is not valid percent-encoded UTF-8, got ${quote(text)}`,
      { parameter },
    );
  }
}

function unknownParameter(name: string): RosterError {
  const nearest = nearestName(name, listParameterNames);
  const hint = nearest
    ? `did you mean ${quote(nearest)}?`
    : `known parameters are ${listParameterNames.join(', ')}`;
  return new RosterError('unknown_parameter', `unknown parameter ${quote(name)}; ${hint}`, {
    parameter: name,
  });
}
