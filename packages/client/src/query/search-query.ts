import { checkCount, quote, refuseUnknownMembers } from '../check-argument.ts';
import { invalidArgument } from '../errors.ts';
import { encodeFilters, type Filters, type ListDelimiter, list, mustBe, text } from './list-query.ts';

/** Filters combine with AND, the items of a list with OR. */
export interface SearchFilters extends Filters {
  /** Such as `firing` or `ALERTSTATE_FIRING`. */
  readonly states?: readonly string[] | undefined;
  /** Alertable resources with, or without, alert rules. */
  readonly covered?: boolean | undefined;
  readonly alertable?: boolean | undefined;
  /** Anywhere in the display name, the name or the id, ignoring case. */
  readonly text?: string | undefined;
  readonly gpuModels?: readonly string[] | undefined;
  readonly skus?: readonly string[] | undefined;
  /** By key: one of these values. */
  readonly labels?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly createdAfter?: Date | string | undefined;
  readonly createdBefore?: Date | string | undefined;
  readonly stateSinceAfter?: Date | string | undefined;
  readonly stateSinceBefore?: Date | string | undefined;
}

/** What a search can be ordered by. */
export const orderFields = [
  'display_name',
  'name',
  'state',
  'state_since',
  'alert_rules_count',
  'create_time',
  'resource_type',
] as const;

export interface SearchQuery extends SearchFilters {
  /** One of `orderFields`, descending with a minus, such as `-state_since`; `display_name` unless given. */
  readonly orderBy?: string | undefined;
  /** Count the values of these fields, such as `state` or `label.rack`. */
  readonly facets?: readonly string[] | undefined;
  readonly offset?: number | undefined;
  readonly size?: number | undefined;
}

/** A search of all stations. */
export interface EverywhereQuery extends SearchQuery {
  readonly subscriptions?: readonly string[] | undefined;
  readonly resourceGroups?: readonly string[] | undefined;
  readonly zones?: readonly string[] | undefined;
  /** Names, or paths such as `subscriptions/…/telemetryStations/…`. */
  readonly stations?: readonly string[] | undefined;
}

type Encode = (parameters: URLSearchParams, value: unknown, delimiter: ListDelimiter) => void;

const encoders: Readonly<Record<Exclude<keyof SearchQuery, keyof Filters>, Encode>> = {
  states: list('states', 'state'),
  covered: boolean('covered', 'covered'),
  alertable: boolean('alertable', 'alertable'),
  text: text('text', 'text'),
  gpuModels: list('gpuModels', 'gpu_model'),
  skus: list('skus', 'sku'),
  labels: encodeLabels,
  createdAfter: time('createdAfter', 'created_after'),
  createdBefore: time('createdBefore', 'created_before'),
  stateSinceAfter: time('stateSinceAfter', 'state_since_after'),
  stateSinceBefore: time('stateSinceBefore', 'state_since_before'),
  orderBy: text('orderBy', 'order_by'),
  facets: list('facets', 'facets'),
  offset: (parameters, value) => parameters.append('page.offset', String(checkCount('offset', value))),
  size: (parameters, value) => parameters.append('page.size', String(checkCount('size', value))),
};

const filterMembers = [
  'resourceIds',
  'resourceType',
  'resourceTypes',
  'product',
  'displayNamePrefix',
  'enabledAlert',
] as const satisfies readonly (keyof Filters)[];

const pageMembers = ['orderBy', 'facets', 'offset', 'size'];

export function encodeSearchQuery(query: SearchQuery, delimiter: ListDelimiter): URLSearchParams {
  refuseUnknownMembers('the query', query, [...filterMembers, ...Object.keys(encoders)]);
  return encode(query, delimiter);
}

const stationEncoders: Readonly<Record<Exclude<keyof EverywhereQuery, keyof SearchQuery>, Encode>> = {
  subscriptions: list('subscriptions', 'subscription'),
  resourceGroups: list('resourceGroups', 'resource_group'),
  zones: list('zones', 'zone'),
  stations: list('stations', 'station'),
};

export function encodeEverywhereQuery(query: EverywhereQuery, delimiter: ListDelimiter): URLSearchParams {
  const { subscriptions, resourceGroups, zones, stations, ...search } = query;
  const parameters = encodeSearchQuery(search, delimiter);
  for (const [member, value] of Object.entries({ subscriptions, resourceGroups, zones, stations })) {
    if (value !== undefined)
      stationEncoders[member as keyof typeof stationEncoders](parameters, value, delimiter);
  }
  return parameters;
}

export function encodeSearchFilters(filters: SearchFilters, delimiter: ListDelimiter): URLSearchParams {
  const members = Object.keys(encoders).filter((member) => !pageMembers.includes(member));
  refuseUnknownMembers('the filters', filters, [...filterMembers, ...members]);
  return encode(filters, delimiter);
}

function encode(query: SearchQuery, delimiter: ListDelimiter): URLSearchParams {
  const documented = Object.fromEntries(filterMembers.map((member) => [member, query[member]]));
  const parameters = encodeFilters(documented, delimiter);
  for (const [member, encodeMember] of Object.entries(encoders)) {
    const value = query[member as keyof SearchQuery];
    if (value !== undefined) encodeMember(parameters, value, delimiter);
  }
  return parameters;
}

export function boolean(member: string, parameter: string): Encode {
  return (parameters, value) => {
    if (typeof value !== 'boolean') throw mustBe(member, 'true or false', value);
    parameters.append(parameter, String(value));
  };
}

export function time(member: string, parameter: string): Encode {
  return (parameters, value) => {
    const isTime = value instanceof Date ? !Number.isNaN(value.getTime()) : typeof value === 'string';
    if (!isTime || value === '') throw mustBe(member, 'a Date or an RFC 3339 time', value);
    parameters.append(parameter, value instanceof Date ? value.toISOString() : String(value));
  };
}

function encodeLabels(parameters: URLSearchParams, value: unknown, delimiter: ListDelimiter): void {
  if (typeof value !== 'object' || value === null) {
    throw invalidArgument(`labels must be an object of lists, or omitted, got ${quote(value)}`);
  }
  for (const [key, values] of Object.entries(value)) {
    list(`labels.${key}`, `label.${key}`)(parameters, values, delimiter);
  }
}
