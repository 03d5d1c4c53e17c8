import fc from 'fast-check';
import type { NewResource } from '../../testing/station.ts';

/** Texts that something on the way may take for more than text. */
const hostileTexts = [
  ...['=1+1', '+1', '-1', '@SUM(A1)', '＝1', "'=1", "''", "'", '\u00a0=1', '=cmd|" /C calc"!A0', '%0a'],
  ...['"', '""', 'a"b', 'a,b', ',', ';', ' a ', '  ', '\u3000', '\\', '\\n', '\\u0000', '</script>', '$(x)'],
  ...[
    'null',
    'true',
    '0',
    '1e5',
    '~',
    '- a',
    '[]',
    '{}',
    ': ',
    '# a',
    'a # b',
    '&a',
    '*a',
    '!!str',
    '|',
    '>',
  ],
  ...['\u202egnp.exe', 'שלום', 'مرحبا 12', 'ok\u200f', '\u2066x\u2069', '检查点', 'é', 'e\u0301', 'İ', 'ß'],
  ...[
    '😀',
    '👩‍👩‍👧‍👦',
    '\u{1f1e9}\u{1f1ea}',
    '\u{10ffff}',
    '\ufeff',
    'a\ufeff',
    '\u2028',
    '\u2029',
    '\ufffd',
    '\uffff',
  ],
  ...['__proto__', 'constructor', 'x'.repeat(1000), '😀'.repeat(500), '"'.repeat(1000), '中'.repeat(1024)],
];

const controlOrLone = /[\p{Cc}\p{Cs}]/gu;

const freeText = fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replace(controlOrLone, ''));

const anyText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...hostileTexts) },
  { weight: 2, arbitrary: freeText },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom(...hostileTexts), freeText).map((parts) => parts.join('')),
  },
);

const text = anyText.map((value) => value.slice(0, 1024).replace(controlOrLone, ''));
const requiredText = text.filter((value) => value !== '');
const resourceId = text
  .map((value) => value.replaceAll(',', '').slice(0, 512).replace(controlOrLone, '').trim())
  .filter((value) => value !== '' && value !== '.' && value !== '..');

const token = fc.string({ unit: fc.constantFrom(...'aZ09_-'), minLength: 1, maxLength: 8 });
const createTime = fc
  .tuple(
    fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9998-12-31T00:00:00Z'),
      noInvalidDate: true,
    }),
    fc.constantFrom('', '.5', '.123', '.1234567', '.999999999', '.000000001'),
    fc.constantFrom('Z', 'z', '+00:00', '-00:00', '+14:00', '-11:30'),
  )
  .map(([date, fraction, zone]) => date.toISOString().slice(0, 19) + fraction + zone);

const resourceType = fc
  .tuple(fc.constantFrom('vm', 'gpu_node', 'Volume-2'), fc.option(requiredText, { nil: undefined }))
  .map(([name, label]) => {
    const key = `resource_type.any.${name}`;
    return label === undefined ? key : { key, label };
  });

/** Any record that must be taken, with any of its fields left out that may be. */
const record: fc.Arbitrary<NewResource & { name: string }> = fc.record(
  {
    resource_id: resourceId,
    name: requiredText,
    resource_type: resourceType,
    display_name: requiredText,
    create_time: createTime,
    sku: text,
    gpu_model: text,
    state: token.map((name) => `ALERTSTATE_${name.toUpperCase().replaceAll('-', '_')}`),
    product: fc.oneof(
      fc.constant(''),
      token.map((name) => `product.${name}`),
    ),
    alert_rules_count: fc.oneof(fc.nat(3), fc.maxSafeNat()),
    alertable: fc.boolean(),
  },
  { requiredKeys: ['resource_id', 'name', 'resource_type'] },
);

/** Records that one station can hold together, at least one: NDJSON has no form for none. */
export const anyRecords: fc.Arbitrary<NewResource[]> = fc
  .uniqueArray(record, { minLength: 1, maxLength: 12, selector: ({ resource_id: id }) => id })
  .map((records) => [...new Map(records.map((each) => [each.name, each])).values()]);
