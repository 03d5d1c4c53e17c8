import { RosterError } from '../errors.ts';
import { foldText } from '../fold-text.ts';
import { limits } from '../limits.ts';
import { quote } from '../quote.ts';
import { normaliseCreateTime } from '../record/create-time.ts';
import { labelKeyError } from '../resource/labels.ts';
import type { ListQuery, PageRequest } from './list-query.ts';
import { parseFilters } from './parse-filters.ts';
import { parseBoolean, parseCount, parseItems } from './parse-parameter.ts';
import { QueryParameters } from './query-parameters.ts';
import { type searchFilterNames, searchParameterNames } from './roster-parameters.ts';

export const orderFields = [
  'display_name',
  'name',
  'state',
  'state_since',
  'alert_rules_count',
  'create_time',
  'resource_type',
] as const;

export type OrderField = (typeof orderFields)[number];

export interface Order {
  readonly field: OrderField;
  readonly isDescending: boolean;
}

/** The fields that can be counted by value, besides `label.<key>`. */
export const facetFields = ['state', 'resource_type', 'product', 'covered', 'gpu_model', 'sku'] as const;

/** A facet field, one of `stationFacetFields`, or `label.<key>`. */
export type Facet = string;

/** Which resources to find. Filters combine with AND, the items of a list with OR. */
export interface SearchFilters extends Omit<ListQuery, 'page'> {
  readonly states: readonly string[] | undefined;
  /** Alertable resources with, or without, alert rules. */
  readonly covered: boolean | undefined;
  readonly alertable: boolean | undefined;
  /** Folded; anywhere in the display name, the name or the id. */
  readonly text: string | undefined;
  readonly gpuModels: readonly string[] | undefined;
  readonly skus: readonly string[] | undefined;
  /** By key. */
  readonly labels: ReadonlyMap<string, readonly string[]>;
  /** From a time up to, but without, another. */
  readonly createdMs: TimeRange;
  readonly stateSinceMs: TimeRange;
}

export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

export const anyTime: TimeRange = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

export interface SearchQuery extends SearchFilters {
  readonly order: Order;
  readonly page: PageRequest;
  readonly facets: readonly Facet[];
}

/** Everything that matches, in the order of the list. */
export function inListOrder<Filters extends SearchFilters>(filters: Filters): Filters & SearchQuery {
  const order = { field: 'display_name', isDescending: false } as const;
  return { ...filters, order, page: { offset: 0, size: 0 }, facets: [] };
}

export const labelFamily = 'label.';

/** Reads the query string after `?`. Throws `invalid_parameter` or `unknown_parameter`. */
export function parseSearchQuery(search: string): SearchQuery {
  const given = new QueryParameters(search, searchParameterNames, { family: labelFamily });
  return parseSearchParameters(given, facetFields);
}

type SearchParameterName = (typeof searchParameterNames)[number];

export function parseSearchParameters(
  given: Pick<QueryParameters<SearchParameterName>, 'one' | 'all' | 'family'>,
  facets: readonly string[],
): SearchQuery {
  parseCount('page.total', given.one('page.total'), Number.MAX_SAFE_INTEGER);
  return {
    ...parseSearchFilters(given),
    order: parseOrder(given.one('order_by')),
    page: {
      offset: parseCount('page.offset', given.one('page.offset'), Number.MAX_SAFE_INTEGER) ?? 0,
      size: parseCount('page.size', given.one('page.size'), limits.maxPageSize) ?? limits.defaultPageSize,
    },
    facets: parseFacets(parseItems('facets', given.all('facets')), facets),
  };
}

type SearchFilterName = (typeof searchFilterNames)[number];

export function parseSearchFilters(
  given: Pick<QueryParameters<SearchFilterName>, 'one' | 'all' | 'family'>,
): SearchFilters {
  const { page: _, ...documented } = parseFilters(given);
  return {
    ...documented,
    states: parseItems('state', given.all('state'))?.map(parseState),
    covered: parseBoolean('covered', given.one('covered')),
    alertable: parseBoolean('alertable', given.one('alertable')),
    text: parseText(given.one('text')),
    gpuModels: parseNames('gpu_model', given.all('gpu_model')),
    skus: parseNames('sku', given.all('sku')),
    labels: parseLabelFilters(given.family()),
    createdMs: parseTimeRange('created', given),
    stateSinceMs: parseTimeRange('state_since', given),
  };
}

/** What has commas itself, such as "8 GPU, 2 TB", is looked for as a whole, too. */
function parseNames(parameter: string, values: readonly string[]): string[] | undefined {
  const items = parseItems(parameter, values);
  return items && [...items, ...values.filter((value) => value.includes(','))];
}

const statePrefix = 'ALERTSTATE_';

/** `firing` is short for `ALERTSTATE_FIRING`. */
function parseState(text: string): string {
  const state = text.startsWith(statePrefix) ? text : statePrefix + text.toUpperCase();
  if (/^ALERTSTATE_[A-Z0-9_]+$/.test(state)) return state;
  throw invalid('state', 'must be states such as firing or ALERTSTATE_FIRING', text);
}

function parseText(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (text.length > limits.maxSearchTextLength) {
    throw invalid('text', `may have at most ${limits.maxSearchTextLength} characters`, text);
  }
  if (/[\p{Cc}\p{Cs}]/u.test(text)) {
    throw invalid('text', 'must not contain control characters or broken Unicode', text);
  }
  const folded = foldText(text.trim());
  if (folded === '' && text.trim() !== '') {
    throw invalid('text', 'must have a letter, digit or sign to search for', text);
  }
  return folded === '' ? undefined : folded;
}

type RangeName<What extends string> = `${What}_after` | `${What}_before`;

/** The times of two parameters, of which the first must be earlier. */
export function parseTimeRange<What extends string>(
  what: What,
  given: Pick<QueryParameters<RangeName<What>>, 'one'>,
): TimeRange {
  const [after, before] = [`${what}_after`, `${what}_before`] as const;
  const from = parseTime(after, given.one(after)) ?? anyTime.from;
  const to = parseTime(before, given.one(before)) ?? anyTime.to;
  if (from < to) return { from, to };
  throw new RosterError('invalid_parameter', `${after} must be earlier than ${before}`, { parameter: after });
}

export function parseTime(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const result = normaliseCreateTime(text);
  if ('error' in result) throw invalid(name, result.error, text);
  return Date.parse(result.value);
}

function parseLabelFilters(given: ReadonlyMap<string, readonly string[]>): Map<string, readonly string[]> {
  const filters = new Map<string, readonly string[]>();
  for (const [name, values] of given) {
    const key = labelKey(name, name);
    const items = parseItems(name, values);
    if (items !== undefined) filters.set(key, items);
  }
  return filters;
}

function parseFacets(names: readonly string[] | undefined, known: readonly string[]): Facet[] {
  const facets = [...new Set(names ?? [])];
  for (const facet of facets) {
    if (facet.startsWith(labelFamily)) labelKey(facet, 'facets');
    else if (!known.includes(facet)) {
      throw invalid('facets', `must be some of ${known.join(', ')} and label.<key>`, facet);
    }
  }
  if (facets.length > limits.maxFacets) {
    throw invalid('facets', `may have at most ${limits.maxFacets} items`, facets.join(','));
  }
  return facets;
}

function labelKey(name: string, parameter: string): string {
  const key = name.slice(labelFamily.length);
  const error = labelKeyError(key);
  if (error === undefined) return key;
  throw new RosterError('invalid_parameter', `the label key ${quote(key)} ${error}`, { parameter });
}

function parseOrder(text: string | undefined): Order {
  if (text === undefined) return { field: 'display_name', isDescending: false };
  const isDescending = text.startsWith('-');
  const field = orderFields.find((each) => each === (isDescending ? text.slice(1) : text));
  if (field !== undefined) return { field, isDescending };
  throw invalid('order_by', `must be one of ${orderFields.join(', ')}, with - for descending`, text);
}

export function invalid(parameter: string, requirement: string, text: string): RosterError {
  return new RosterError('invalid_parameter', `${parameter} ${requirement}, got ${quote(text)}`, {
    parameter,
  });
}
