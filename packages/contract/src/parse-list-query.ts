import { limits } from './limits.ts';
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
  /** Refuse parameters the interface does not know, instead of ignoring them. */
  readonly strict: boolean;
}

/** Reads the part of a URL behind `?`. Throws `invalid_parameter` or `unknown_parameter`. */
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

/** The parameters of one request that have a value. */
class GivenParameters {
  readonly #values: Partial<Record<ListParameterName, string>> = {};
  #resourceIds: string[] | undefined;
  #resourceTypes: string[] | undefined;

  add(name: ListParameterName, value: string): void {
    if (name === 'resource_ids') {
      this.#resourceIds ??= [];
      this.#resourceIds.push(value);
    } else if (name === 'resource_types') {
      this.#resourceTypes ??= [];
      this.#resourceTypes.push(value);
    } else if (this.#values[name] === undefined) this.#values[name] = value;
    else throw givenTwice(name);
  }

  toQuery(): ListQuery {
    const values = this.#values;
    return {
      resourceIds: parseItems('resource_ids', this.#resourceIds),
      types: acceptedTypes(values.resource_type, parseItems('resource_types', this.#resourceTypes)),
      product: values.product,
      displayNamePrefix: values.resource_display_name_prefix,
      alertableOnly: parseBoolean('enabled_alert', values.enabled_alert) ?? false,
      page: this.#page(),
    };
  }

  #page(): PageRequest | null {
    const values = this.#values;
    const offset = parseCount('page.offset', values['page.offset'], Number.MAX_SAFE_INTEGER);
    const size = parseCount('page.size', values['page.size'], limits.maxPageSize);
    const total = parseCount('page.total', values['page.total'], Number.MAX_SAFE_INTEGER);
    if (offset === undefined && size === undefined && total === undefined) return null;
    return { offset: offset ?? 0, size: size ?? limits.defaultPageSize };
  }
}

const namesByLength: readonly (readonly ListParameterName[])[] = Array.from({ length: 32 }, (_, length) =>
  listParameterNames.filter((name) => name.length === length),
);

/** The parameter whose name stands in `search` from `start` to `end`. */
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
