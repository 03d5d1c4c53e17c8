import zlib from 'node:zlib';
import fc from 'fast-check';
import { mediaTypes } from '../../testing/station.ts';
import { headerText } from './request-arbitrary.ts';

/** A body and the headers that say what it is, which may be wrong. Every character stands for one byte. */
export interface FuzzBody {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

const oddFieldValues: readonly unknown[] = [
  ...['', 'a', '=1', '中', '\0', '\ud800', 'x'.repeat(2000), 0, -1, 1.5, 1e300, true, null, [], {}, [[]]],
  ...['2026-02-30T00:00:00Z', '2026-01-31T08:00:00Z', 'ALERTSTATE_FIRING', 'product.a', 'resource_type.a.b'],
  ...[{ key: 'resource_type.a.b', label: 'A' }, { key: 1 }, { label: 'only' }],
];
const fieldNames = [
  ...['resource_id', 'name', 'display_name', 'resource_type', 'product', 'alertable', 'state', 'sku'],
  ...['gpu_model', 'alert_rules_count', 'create_time', 'station', 'stat', '__proto__', 'labels', ''],
];

const oddFields = fc
  .array(fc.tuple(fc.constantFrom(...fieldNames), fc.constantFrom(...oddFieldValues)), { maxLength: 2 })
  .map((fields) => Object.fromEntries(fields));

const record = fc
  .tuple(fc.nat(9), fc.nat(2), fc.oneof({ weight: 6, arbitrary: fc.constant({}) }, oddFields))
  .map(([number, type, odd]) => ({
    resource_id: `res-${number}`,
    name: `name ${number}`,
    resource_type: `resource_type.fuzz.${type}`,
    ...odd,
  }));

const records = fc.uniqueArray(record, { maxLength: 5, selector: ({ resource_id: id }) => id });

const renderers: Record<string, (given: readonly object[]) => string> = {
  [mediaTypes.ndjson]: (given) => given.map((each) => `${JSON.stringify(each)}\n`).join(''),
  [mediaTypes.json]: (given) => JSON.stringify(given),
  'application/json; charset=utf-8': (given) => JSON.stringify({ resources: given, page: null }),
  [mediaTypes.yaml]: (given) => given.map((each) => `- ${JSON.stringify(each)}\n`).join(''),
  'text/yaml': (given) =>
    given
      .map(
        (each) =>
          `- ${Object.entries(each)
            .map(([k, v]) => `${k}: ${v}`)
            .join('\n  ')}\n`,
      )
      .join(''),
  [mediaTypes.csv]: (given) =>
    [['resource_id', 'name', 'resource_type'], ...given.map((each) => Object.values(each).slice(0, 3))]
      .map((row) => `${row.join()}\r\n`)
      .join(''),
};

const typeBody = fc
  .tuple(
    fc.constantFrom('labels', 'product', 'alertable', 'label'),
    fc.constantFrom(...oddFieldValues, { en: 'A' }, { 'zh-CN': '乙', x: '' }),
  )
  .map(([name, value]) => JSON.stringify({ [name]: value }));

const viewBody = fc
  .tuple(
    fc.constantFrom(
      ...[undefined, null, 5, ''],
      'subscriptions/e2e/resourceGroups/tests/zones/zone-1/telemetryStations/station',
    ),
    fc.constantFrom(
      ...[
        '',
        'state=firing',
        'order_by=-name&facets=state',
        'text=%F0%9F%98%80',
        'label.a=b,c',
        'zone=zone-1',
      ],
      ...['stat=firing', 'page.size=1', 'text=%ff', '=', '&&', 'x'.repeat(5000), null, 5],
    ),
  )
  .map(([station, query]) => JSON.stringify({ station, query }));

const typedText = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.constantFrom(...Object.keys(renderers)), records)
      .map(([type, given]) => [type, renderers[type]!(given)] as const),
  },
  { weight: 1, arbitrary: typeBody.map((text) => [mediaTypes.json, text] as const) },
  { weight: 1, arbitrary: viewBody.map((text) => [mediaTypes.json, text] as const) },
  {
    weight: 1,
    arbitrary: fc.tuple(
      fc.oneof(fc.constantFrom(...Object.values(mediaTypes)), headerText),
      fc.string({ unit: 'binary', maxLength: 60 }),
    ),
  },
);

const asBytes = (text: string) => Buffer.from(text).toString('latin1');

/** Puts other bytes in the place of some. */
const damage = fc.oneof(
  { weight: 4, arbitrary: fc.constant((bytes: string) => bytes) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.nat(400), fc.nat(5), fc.array(fc.nat(255), { maxLength: 4 }))
      .map(([at, cut, given]) => (bytes: string) => {
        const start = at % (bytes.length + 1);
        return bytes.slice(0, start) + String.fromCharCode(...given) + bytes.slice(start + cut);
      }),
  },
);

const encoders: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: zlib.gzipSync,
  zstd: zlib.zstdCompressSync,
  br: zlib.brotliCompressSync,
  deflate: zlib.deflateSync,
  identity: (bytes) => bytes,
  compress: (bytes) => bytes,
};

const encoding = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom(...Object.keys(encoders)) },
);

/** Bodies that the server can take, and those and others damaged in some way. */
export const anyBody: fc.Arbitrary<FuzzBody> = fc
  .tuple(typedText, damage, encoding, damage)
  .map(([[type, text], damageText, name, damageBytes]) => {
    const plain = damageText(asBytes(text));
    const encoded =
      name === undefined ? plain : encoders[name]!(Buffer.from(plain, 'latin1')).toString('latin1');
    const headers: [string, string][] = [['Content-Type', type]];
    if (name !== undefined) headers.push(['Content-Encoding', name]);
    return { headers, body: damageBytes(encoded) };
  });
