import fc from 'fast-check';

/** Texts as records may have them. */
const aText = fc
  .string({
    unit: fc.constantFrom('a', 'B', '"', '\\', ' ', 'é', '\u2028', '中', '\u{1f525}', '\uffff'),
    minLength: 1,
    maxLength: 6,
  })
  .map((text) => `x${text}`);

/** Whole records, each id once. */
export const someRecords = fc.uniqueArray(
  fc.record(
    {
      resourceId: aText,
      name: aText,
      typeKey: fc.constantFrom('resource_type.a', 'resource_type.b'),
      typeLabel: fc.constantFrom('A', 'B'),
      displayName: aText,
      product: fc.constantFrom('', 'product.p'),
      state: fc.constantFrom('ALERTSTATE_INACTIVE', 'ALERTSTATE_FIRING'),
      sku: aText,
      gpuModel: aText,
      alertable: fc.boolean(),
      alertRulesCount: fc.constantFrom(0, 1, Number.MAX_SAFE_INTEGER),
      createTime: fc.constantFrom('2026-01-31T08:00:00.000Z', '2026-01-31T08:00:00.123456789Z'),
      stateSinceMs: fc.nat(),
      labels: fc.constantFrom('{}', '{"rack":"r1"}', '{"owner":"é\\"","rack":"r1"}'),
    },
    { requiredKeys: ['resourceId', 'name', 'typeKey'] },
  ),
  { minLength: 1, maxLength: 40, selector: ({ resourceId }) => resourceId },
);
