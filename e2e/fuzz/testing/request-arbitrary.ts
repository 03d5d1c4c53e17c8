import fc from 'fast-check';
import { listPath, samplePath } from '../../testing/station.ts';
import type { FuzzRequest } from './fuzz-request.ts';

/** What a generated request may name so that some of them are answered in full. */
export interface KnownValues {
  readonly etag: string;
  readonly revision: string;
  readonly resourceIds: readonly string[];
}

const hex = (byte: number) => `%${byte.toString(16).padStart(2, '0')}`;
const isPlain = (byte: number) => byte > 0x20 && byte < 0x7f && !'%#&=?'.includes(String.fromCharCode(byte));

/** Any bytes: escaped where they must be, and some where they need not be. */
export const escapedBytes = fc
  .tuple(fc.array(fc.nat(255), { maxLength: 12 }), fc.boolean())
  .map(([bytes, escapeAll]) =>
    bytes.map((byte) => (isPlain(byte) && !escapeAll ? String.fromCharCode(byte) : hex(byte))).join(''),
  );

const printable = fc
  .array(fc.integer({ min: 0x21, max: 0x7e }), { maxLength: 12 })
  .map((bytes) => String.fromCharCode(...bytes));

const knownNames = [
  ...['resource_ids', 'resource_type', 'resource_types', 'product', 'resource_display_name_prefix'],
  ...['page.offset', 'page.size', 'page.total', 'enabled_alert'],
];
const oddNames = [
  ...[
    'page[size]',
    'pageSize',
    'page%2Esize',
    '%70roduct',
    'page.size%00',
    'Product',
    'resource_typ',
    'page',
  ],
  ...['__proto__', 'constructor', 'toString', '+', '', '%', '%ff', 'a'.repeat(3000)],
];
export const oddValues = [
  ...['', '0', '1', '7', '-1', '+1', '%2B1', '1e3', '1000', '1001', '0x10', '1.0', '00', '%201', 'NaN'],
  ...['9007199254740991', '9007199254740992', '9'.repeat(40), '9'.repeat(5000), 'Infinity', '%D9%A3'],
  ...[
    'true',
    'false',
    'TRUE',
    't',
    'F',
    'yes',
    '%',
    '%z',
    '%zz',
    '%ff',
    '%c3%28',
    '%ed%a0%80',
    '%00',
    '%0d%0a',
  ],
  ...['a,b,,c', ',', '%2C', ',,,,', '*', 'null', 'undefined', '{}', '[]', '%F0%9F%92%A9', 'x'.repeat(5_000)],
  ...['vm-', 'gpu-node', 'product.compute', 'product.gpu_cluster', 'resource_type.compute.vm'],
  ...['resource_type.compute.gpu_node,resource_type.compute.vm', Array(1_500).fill('id').join(), ids(1_200)],
];

function ids(count: number): string {
  return Array.from({ length: count }, (_, index) => index).join();
}

/** Most requests get one of these, so that few ask for the whole list. */
const limiters = ['page.size=3', 'page.size=0', 'page.size=2&page.offset=1190', 'page.total=7&product=none'];

function query(known: KnownValues): fc.Arbitrary<string> {
  const name = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...knownNames) },
    { weight: 2, arbitrary: fc.constantFrom(...oddNames) },
    { weight: 1, arbitrary: escapedBytes },
  );
  const value = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...oddValues, ...known.resourceIds) },
    { weight: 2, arbitrary: escapedBytes },
    { weight: 1, arbitrary: printable },
  );
  const separator = fc.constantFrom('=', '=', '=', '=', '', '==');
  const parameter = fc.tuple(name, separator, value).map((parts) => parts.join(''));
  const parameters = fc.array(parameter, { maxLength: 4 });
  return fc
    .tuple(
      parameters,
      fc.constantFrom(...limiters, ...limiters, ''),
      fc.constantFrom('&', '&', '&', '&&', ';'),
    )
    .map(([given, limiter, joint]) => [...given, limiter].filter((text) => text !== '').join(joint))
    .map((text) => (text === '' ? '' : `?${text}`));
}

export const segment = fc.oneof(
  fc.constantFrom('', '.', '..', '%2e%2e', '%2F', 'a%2Fb', '%00', '%', '%zz', '%ff', ':zone', '{zone}', '*'),
  fc.constantFrom('demo', 'sample', 'zone-1', 'station-1', 'resources', 'x'.repeat(300), 'n'.repeat(3_000)),
  escapedBytes,
  printable.map((text) => text.replaceAll('?', '')),
);

const oddStation = fc
  .tuple(segment, segment, segment, segment)
  .map(([a, b, c, d]) => `/subscriptions/${a}/resourceGroups/${b}/zones/${c}/telemetryStations/${d}`);

const path = fc.oneof(
  { weight: 16, arbitrary: fc.constant(listPath(samplePath)) },
  { weight: 2, arbitrary: oddStation.map((station) => listPath(station)) },
  { weight: 1, arbitrary: oddStation.map((station) => `/roster/v1${station}/resources/x`) },
  { weight: 1, arbitrary: fc.array(segment, { maxLength: 6 }).map((parts) => `/${parts.join('/')}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('/healthz', '/readyz', '/openapi.json', `${listPath(samplePath)}/`),
  },
);

/** Bytes that a header may have: HTTP allows any but control characters. */
export const headerText = fc
  .array(fc.oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff })), {
    maxLength: 20,
  })
  .map((bytes) => String.fromCharCode(...bytes));

function headers(known: KnownValues): fc.Arbitrary<FuzzRequest['headers']> {
  const values = {
    'Accept-Language': ['zh', 'en', 'zh-CN;q=0.9, en', '*', ';;;', 'q=', ','.repeat(2000), 'x-'.repeat(2000)],
    'If-None-Match': [
      known.etag,
      '*',
      'W/"x"',
      '"',
      `W/${known.etag}, "y"`,
      ','.repeat(3000),
      known.etag.slice(1),
    ],
    'Roster-Revision': [
      known.revision,
      'a.1',
      '.',
      '1',
      `${known.revision}0`,
      'a.99999999999999999999',
      'a.-1',
    ],
    'Content-Type': ['application/json', 'text/html', ';;;', 'application/json; charset=utf-7'],
    Accept: ['text/html', '*/*', 'nothing/at-all;q=0'],
    'Accept-Encoding': ['gzip', 'identity;q=0', '*;q=0'],
    Range: ['bytes=0-1', 'bytes=-', 'bytes=999999999-'],
    Upgrade: ['websocket', 'h2c'],
    Expect: ['miracles'],
    'Content-Length': ['0'],
    'X-HTTP-Method-Override': ['DELETE'],
  };
  const header = fc
    .constantFrom(...(Object.keys(values) as (keyof typeof values)[]))
    .chain((name) =>
      fc
        .oneof(fc.constantFrom(...values[name]), fc.constantFrom(...values[name]), headerTextFor(name))
        .map((value) => [name, value] as const),
    );
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    // Otherwise too few are answered 304 to be noticed.
    { weight: 1, arbitrary: fc.constant([['If-None-Match', known.etag] as const]) },
    { weight: 2, arbitrary: fc.array(header, { maxLength: 3 }).filter(hasOneLength) },
  );
}

/** Two lengths in one request are refused by the HTTP parser. */
function hasOneLength(given: FuzzRequest['headers']): boolean {
  return given.filter(([name]) => name === 'Content-Length').length < 2;
}

/** A wrong length would make the requests behind it part of a body. */
function headerTextFor(name: string): fc.Arbitrary<string> {
  if (name === 'Content-Length') return fc.constant('0');
  return name === 'Expect' ? fc.constant('miracles') : headerText;
}

/** Requests that are valid HTTP, whatever else they are. */
export function wellFormedRequest(known: KnownValues): fc.Arbitrary<FuzzRequest> {
  const method = fc.oneof(
    { weight: 20, arbitrary: fc.constant('GET') },
    { weight: 2, arbitrary: fc.constant('HEAD') },
    {
      weight: 2,
      arbitrary: fc.constantFrom('POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'PROPFIND'),
    },
  );
  return fc
    .tuple(method, path, query(known), headers(known))
    .map(([verb, where, search, more]) => ({ method: verb, target: where + search, headers: more }));
}

/** Requests with bytes that HTTP does not allow where they are. The server closes the connection behind them. */
export const brokenRequest: fc.Arbitrary<FuzzRequest> = fc
  .tuple(
    fc.constantFrom(...forbiddenBytes()),
    fc.nat(60),
    fc.constantFrom('target', 'name', 'value', 'method'),
  )
  .map(([byte, at, where]) => {
    const spoil = (text: string) => text.slice(0, at) + byte + text.slice(at);
    return {
      method: where === 'method' ? `G${byte}T` : 'GET',
      target: where === 'target' ? `/${spoil(listPath(samplePath).slice(1))}` : '/healthz',
      headers: [
        [
          where === 'name' ? `X${byte}Y` : 'X-Y',
          where === 'value' && !isHeaderByte(byte) ? spoil('value') : 'v',
        ],
      ] as const,
    };
  });

function isHeaderByte(byte: string): boolean {
  return byte === '\t' || byte === ' ' || byte > '\x7f';
}

function forbiddenBytes(): string[] {
  const bytes = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));
  return bytes
    .filter((byte) => byte < '\x20' || byte >= '\x7f')
    .filter((byte) => byte !== '\n' && byte !== '\r');
}
