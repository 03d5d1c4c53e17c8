import { checkCount, quote, refuseUnknownMembers } from '../check-argument.ts';
import { invalidArgument } from '../errors.ts';

/** How lists are sent: comma-separated in one parameter, or as repeated parameters. */
export type ListDelimiter = 'comma' | 'repeat';

/** Filters combine with AND, the items of a list with OR. */
export interface Filters {
  readonly resourceIds?: readonly string[] | undefined;
  readonly resourceType?: string | undefined;
  readonly resourceTypes?: readonly string[] | undefined;
  readonly product?: string | undefined;
  readonly displayNamePrefix?: string | undefined;
  /** If true, only resources that can have alerts. */
  readonly enabledAlert?: boolean | undefined;
}

/** Without `offset` and `size`, the whole list. */
export interface ListQuery extends Filters {
  readonly offset?: number | undefined;
  readonly size?: number | undefined;
}

type Encode = (parameters: URLSearchParams, value: unknown, delimiter: ListDelimiter) => void;

const encoders: Readonly<Record<keyof ListQuery, Encode>> = {
  resourceIds: list('resourceIds', 'resource_ids'),
  resourceType: text('resourceType', 'resource_type'),
  resourceTypes: list('resourceTypes', 'resource_types'),
  product: text('product', 'product'),
  displayNamePrefix: (parameters, value) => {
    if (typeof value !== 'string') throw mustBe('displayNamePrefix', 'a string', value);
    if (value !== '') parameters.append('resource_display_name_prefix', value);
  },
  enabledAlert: (parameters, value) => {
    if (typeof value !== 'boolean') throw mustBe('enabledAlert', 'true or false', value);
    parameters.append('enabled_alert', String(value));
  },
  offset: (parameters, value) => parameters.append('page.offset', String(checkCount('offset', value))),
  size: (parameters, value) => parameters.append('page.size', String(checkCount('size', value))),
};

const queryMembers = Object.keys(encoders);
const filterMembers = queryMembers.filter((name) => name !== 'offset' && name !== 'size');

export function encodeListQuery(query: ListQuery, delimiter: ListDelimiter): URLSearchParams {
  refuseUnknownMembers('the query', query, queryMembers);
  return encode(query, delimiter);
}

export function encodeFilters(filters: Filters, delimiter: ListDelimiter): URLSearchParams {
  refuseUnknownMembers('the filters', filters, filterMembers);
  return encode(filters, delimiter);
}

function encode(query: ListQuery, delimiter: ListDelimiter): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) encoders[name as keyof ListQuery](parameters, value, delimiter);
  }
  return parameters;
}

export function text(member: string, parameter: string): Encode {
  return (parameters, value) => {
    if (typeof value !== 'string' || value === '') throw mustBe(member, 'a non-empty string', value);
    parameters.append(parameter, value);
  };
}

/** Refuses an empty list, which servers would read as no filter and answer with everything. */
export function list(member: string, parameter: string): Encode {
  return (parameters, value, delimiter) => {
    if (!Array.isArray(value) || value.length === 0) {
      throw mustBe(member, 'a list with at least one item', value);
    }
    for (const item of value) {
      if (typeof item !== 'string' || item.trim() === '') throw mustBe(member, 'a list of strings', item);
      if (delimiter === 'comma' && item.includes(',')) {
        throw invalidArgument(
          `${member} holds ${quote(item)}, which a comma-separated list would split; use listDelimiter: 'repeat'`,
        );
      }
    }
    for (const item of delimiter === 'comma' ? [value.join(',')] : value) parameters.append(parameter, item);
  };
}

export function mustBe(member: string, shape: string, value: unknown): Error {
  const got = Array.isArray(value) ? 'an empty list' : quote(value);
  return invalidArgument(`${member} must be ${shape}, or omitted, got ${got}`);
}
