import fc from 'fast-check';
import { anyBody } from './body-arbitrary.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import { escapedBytes, headerText, oddValues, segment } from './request-arbitrary.ts';

/** An operation as the server describes it. */
export interface Operation {
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  readonly queryNames: readonly string[];
  readonly headerNames: readonly string[];
}

interface OpenApi {
  readonly paths: Record<string, Record<string, { readonly parameters?: readonly Parameter[] }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
}

/** Every operation of an OpenAPI document. */
export function operationsOf({ paths }: OpenApi): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [] }]) => {
      const names = (place: Parameter['in']) =>
        parameters.filter((each) => each.in === place).map(({ name }) => name);
      return { method: method.toUpperCase(), path, queryNames: names('query'), headerNames: names('header') };
    }),
  );
}

const pathValues: Record<string, readonly string[]> = {
  subscription_name: ['e2e'],
  resource_group_name: ['tests'],
  zone: ['zone-1'],
  telemetry_station_name: ['station', 'station', 'another', 'third%20one'],
  resource_id: Array.from({ length: 10 }, (_, at) => `res-${at}`),
  token_id: ['tok_0123456789ab', 'roster_x'],
  source_name: ['prom', 'prom', 'other'],
  view_name: ['view', 'view', '%E4%B8%AD', 'another%20one'],
  type_key: ['resource_type.fuzz.0', 'resource_type.fuzz.1', 'resource_type.a.b', 'fuzz'],
};

const queryValues: Record<string, readonly string[]> = {
  mode: ['merge', 'replace', 'replace', 'append'],
  dry_run: ['true', 'false', '1'],
  allow_removal: ['all', '0', '3', 'none'],
  max_changes: ['0', '1', '10000', '10001'],
  format: ['csv', 'json', 'ndjson', 'xml'],
  resource_id: ['res-1', 'res-2'],
  'page.size': ['0', '1', '2', '1000', '1001'],
  subscription_name: ['e2e'],
  telemetry_station_name_prefix: ['sta', '%F0%9F%98%80'],
};

const headerValues: Record<string, readonly string[]> = {
  Accept: ['text/csv', 'application/json', 'application/x-ndjson;q=0.5, */*', 'q=;;,'],
  'Accept-Language': ['zh', 'zh-CN;q=0.9, en', '*'],
  Expect: ['miracles'],
  Range: ['bytes=0-1'],
};

/** Revisions and ETags that were true at some time, for conditions that hold now and then. */
export interface Seen {
  readonly revisions: readonly string[];
  readonly etags: readonly string[];
}

/** Requests to the given operations, with mostly sensible parameters and any body. */
export function operationRequest(operations: readonly Operation[], seen: Seen): fc.Arbitrary<FuzzRequest> {
  // Little is deleted, so that there is something to ask about. Views and sessions have many operations that are alike.
  const isLight = ({ method, path }: Operation) => method === 'DELETE' || /view_name|session/.test(path);
  const weightOf = (operation: Operation) =>
    isLight(operation) ? 1 : operation.path.endsWith('/resources') ? 8 : 3;
  return fc.oneof(
    ...operations.map((each) => ({ weight: weightOf(each), arbitrary: requestTo(each, seen) })),
  );
}

function requestTo(operation: Operation, seen: Seen): fc.Arbitrary<FuzzRequest> {
  const method = mostly(fc.constant(operation.method), otherMethod);
  const none = fc.constant(undefined);
  const body = takesBody(operation) ? mostly(anyBody, none) : mostly(none, anyBody);
  return fc
    .tuple(method, pathOf(operation), queryOf(operation, seen), headersOf(operation, seen), body)
    .map(([verb, path, query, headers, given]) => ({
      method: verb,
      target: path + query,
      headers: [...headers, ...(given?.headers ?? [])],
      ...(given === undefined ? {} : { body: given.body }),
    }));
}

function mostly<T, U>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<U>, weight = 12): fc.Arbitrary<T | U> {
  return fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: odd });
}

const otherMethod = fc.constantFrom('GET', 'HEAD', 'PUT', 'POST', 'DELETE', 'PATCH', 'OPTIONS');

function takesBody({ method, path }: Operation): boolean {
  return method === 'POST' || (method === 'PUT' && /type_key|view_name/.test(path));
}

function pathOf({ path }: Operation): fc.Arbitrary<string> {
  const parts = path.split('/').map((part) => {
    const name = /^\{(.*)\}$/.exec(part)?.[1];
    return name === undefined
      ? fc.constant(part)
      : mostly(fc.constantFrom(...pathValues[name]!), segment, 30);
  });
  return fc.tuple(...parts).map((given) => given.join('/'));
}

function queryOf({ queryNames }: Operation, seen: Seen): fc.Arbitrary<string> {
  if (queryNames.length === 0) return mostly(fc.constant(''), fc.constant('?page.size=1'), 30);
  const odd = fc.constantFrom(...oddValues);
  const known = queryNames.map((name) => {
    const values = name === 'since' ? seen.revisions : queryValues[name];
    const value = values === undefined ? odd : mostly(fc.constantFrom('', ...values), odd, 6);
    return value.map((text) => `${name}=${text}`);
  });
  const parameter = mostly(fc.oneof(...known), escapedBytes, 30);
  return fc
    .array(parameter, { maxLength: 3 })
    .map((given) => (given.length === 0 ? '' : `?${given.join('&')}`));
}

function headersOf({ headerNames }: Operation, seen: Seen): fc.Arbitrary<[string, string][]> {
  const values: Record<string, readonly string[]> = {
    ...headerValues,
    'If-Match': ['*', ...seen.revisions.map((revision) => `"${revision}"`), 'W/"a.1"', '"a.1", "b.2"'],
    'If-None-Match': ['*', ...seen.etags],
    'Last-Event-ID': seen.revisions,
    'Roster-Revision': seen.revisions,
  };
  const header = (name: string) => {
    const value = fc.constantFrom(...values[name]!);
    const odd = name === 'Expect' ? value : headerText;
    return mostly(value, odd, 5).map((text): [string, string] => [name, text]);
  };
  const any = fc.oneof(...Object.keys(values).map(header));
  const own = headerNames.length === 0 ? any : mostly(fc.oneof(...headerNames.map(header)), any, 3);
  return fc.uniqueArray(own, { maxLength: 2, selector: ([name]) => name });
}
