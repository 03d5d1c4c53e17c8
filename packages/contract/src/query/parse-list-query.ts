import { limits } from '../limits.ts';
import type { ListQuery, PageRequest } from './list-query.ts';
import { decodeParameter, givenTwice, unknownParameter } from './parameter-text.ts';
import { acceptedTypes, parseBoolean, parseCount, parseItems } from './parse-parameter.ts';

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

export interface ParseListQueryOptions {
  /** Refuse unknown parameters instead of ignoring them. */
  readonly strict: boolean;
}

/** Reads the query string after `?`. Throws `invalid_parameter` or `unknown_parameter`. */
export function parseListQuery(search: string, options: ParseListQueryOptions): ListQuery {
  const given = new GivenParameters();
  const isEncoded = search.includes('%') || search.includes('+');
  for (let start = 0; start < search.length; ) {
    const separator = search.indexOf('&', start);
    const end = separator === -1 ? search.length : separator;
    const equals = search.indexOf('=', start);
    const nameEnd = equals === -1 || equals > end ? end : equals;
    if (end > start) {
      const name = isEncoded ? decodedName(search.slice(start, nameEnd)) : nameAt(search, start, nameEnd);
      if (name === undefined) {
        if (options.strict) throw unknownParameter(search.slice(start, nameEnd), listParameterNames);
      } else if (nameEnd + 1 < end) {
        const value = search.slice(nameEnd + 1, end);
        // A prefix is compared with many names: decoding it also makes it a string of its own, not a slice.
        const needsDecoding = isEncoded || name === 'resource_display_name_prefix';
        given.add(name, needsDecoding ? decodeParameter(value, name) : value);
      }
    }
    start = end + 1;
  }
  return given.toQuery();
}

/** The parameters of one request. Fields are faster to fill than an object keyed by name. */
class GivenParameters {
  #resourceIds: string[] | undefined;
  #resourceTypes: string[] | undefined;
  #resourceType: string | undefined;
  #product: string | undefined;
  #displayNamePrefix: string | undefined;
  #enabledAlert: string | undefined;
  #offset: string | undefined;
  #size: string | undefined;
  #total: string | undefined;

  add(name: ListParameterName, value: string): void {
    switch (name) {
      case 'resource_ids':
        this.#resourceIds ??= [];
        this.#resourceIds.push(value);
        break;
      case 'resource_types':
        this.#resourceTypes ??= [];
        this.#resourceTypes.push(value);
        break;
      case 'resource_type':
        this.#resourceType = once(name, value, this.#resourceType);
        break;
      case 'product':
        this.#product = once(name, value, this.#product);
        break;
      case 'resource_display_name_prefix':
        this.#displayNamePrefix = once(name, value, this.#displayNamePrefix);
        break;
      case 'enabled_alert':
        this.#enabledAlert = once(name, value, this.#enabledAlert);
        break;
      case 'page.offset':
        this.#offset = once(name, value, this.#offset);
        break;
      case 'page.size':
        this.#size = once(name, value, this.#size);
        break;
      case 'page.total':
        this.#total = once(name, value, this.#total);
    }
  }

  toQuery(): ListQuery {
    return {
      resourceIds: parseItems('resource_ids', this.#resourceIds),
      types: acceptedTypes(this.#resourceType, parseItems('resource_types', this.#resourceTypes)),
      product: this.#product,
      displayNamePrefix: this.#displayNamePrefix,
      alertableOnly: parseBoolean('enabled_alert', this.#enabledAlert) ?? false,
      page: this.#page(),
    };
  }

  #page(): PageRequest | null {
    const offset = parseCount('page.offset', this.#offset, Number.MAX_SAFE_INTEGER);
    const size = parseCount('page.size', this.#size, limits.maxPageSize);
    const total = parseCount('page.total', this.#total, Number.MAX_SAFE_INTEGER);
    if (offset === undefined && size === undefined && total === undefined) return null;
    return { offset: offset ?? 0, size: size ?? limits.defaultPageSize };
  }
}

function once(name: ListParameterName, value: string, before: string | undefined): string {
  if (before !== undefined) throw givenTwice(name, [before, value]);
  return value;
}

const namesByLength: readonly (readonly ListParameterName[])[] = Array.from({ length: 32 }, (_, length) =>
  listParameterNames.filter((name) => name.length === length),
);

/** The parameter named in `search` from `start` to `end`. */
function nameAt(search: string, start: number, end: number): ListParameterName | undefined {
  const candidates = namesByLength[end - start];
  if (candidates === undefined) return undefined;
  for (const name of candidates) if (search.startsWith(name, start)) return name;
  return undefined;
}

function decodedName(text: string): ListParameterName | undefined {
  const name = decodeParameter(text, text);
  return nameAt(name, 0, name.length);
}
