import fc from 'fast-check';

/** Sizes of chunks, used over and over. */
export const chunkSizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom('"', ',', '\n', '\r', "'", '=', '-', '＝', '\t', ' ', 'a', '节'),
    maxLength: 8,
  }),
);
const someText = anyText.filter((text) => text !== '');
const perhaps = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

/** Records as JSON objects, some of them invalid, without values that CSV cannot express. */
export const anyRecord = fc.record({
  resource_type: fc.oneof(
    fc.constantFrom('resource_type.compute.gpu_node', 'vm', ''),
    fc.record({ key: fc.constant('resource_type.compute.vm'), label: someText }),
  ),
  resource_id: anyText,
  name: anyText,
  sku: anyText,
  gpu_model: anyText,
  product: fc.constantFrom('', 'product.gpu', 'gpu'),
  display_name: perhaps(someText),
  state: perhaps(fc.constantFrom('ALERTSTATE_FIRING', 'firing')),
  create_time: perhaps(fc.constantFrom('2026-01-31T08:00:00Z', '2026-02-30T00:00:00Z', 'soon')),
  alert_rules_count: perhaps(fc.oneof(fc.nat(), fc.constant(-1))),
  alertable: perhaps(fc.boolean()),
});
