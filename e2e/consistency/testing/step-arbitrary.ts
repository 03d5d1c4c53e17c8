import fc from 'fast-check';
import type { ModelBatch, ModelRecord, TypeDefaults } from '../../testing/station-model.ts';

/** Whether a write has a condition, and whether it holds. */
export type Condition = 'none' | 'right' | 'earlier' | 'later' | 'other epoch';

export type Step =
  | {
      readonly kind: 'batch';
      readonly batch: ModelBatch;
      readonly isDryRun: boolean;
      readonly format: 'ndjson' | 'json' | 'yaml';
      readonly condition: Condition;
    }
  | { readonly kind: 'remove'; readonly resourceId: string; readonly condition: Condition }
  | { readonly kind: 'type'; readonly key: string; readonly defaults: TypeDefaults };

export const typeKeys = ['resource_type.model.a', 'resource_type.model.b', 'resource_type.model.c'];
const idCount = 40;

const numberedText = (prefix: string, count: number) =>
  fc.nat(count - 1).map((number) => `${prefix}${number}`);

const record: fc.Arbitrary<ModelRecord> = fc.record(
  {
    resource_id: numberedText('id', idCount),
    name: fc.string({ minLength: 3, maxLength: 3, unit: fc.constantFrom(...'abcdefgh') }),
    resource_type: fc.constantFrom(...typeKeys),
    create_time: fc.constantFrom('2026-01-31T08:00:00.000Z', '2024-02-29T23:59:59.123456789Z'),
    state_since: fc.constantFrom('2026-02-01T08:00:00.000Z', '2026-02-02T08:00:00.123Z'),
    labels: fc.constantFrom({}, { rack: 'r1' }, { owner: 'a', rack: 'r1' }),
    display_name: numberedText('shown ', 8),
    sku: fc.constantFrom('', '8 GPU'),
    gpu_model: fc.constantFrom('', 'H100'),
    state: fc.constantFrom('ALERTSTATE_INACTIVE', 'ALERTSTATE_PENDING', 'ALERTSTATE_FIRING'),
    product: fc.constantFrom('', 'product.a', 'product.b'),
    alertable: fc.boolean(),
    alert_rules_count: fc.nat(2),
  },
  { requiredKeys: ['resource_id', 'name', 'resource_type', 'create_time', 'state_since'] },
);

/** Mostly such that a station must take them, and at times all that there can be. */
const records = fc.oneof(
  { weight: 5, arbitrary: uniqueRecords(0, 6) },
  { weight: 2, arbitrary: uniqueRecords(15, idCount) },
  { weight: 1, arbitrary: fc.array(record, { maxLength: 8 }) },
);

function uniqueRecords(minLength: number, maxLength: number): fc.Arbitrary<ModelRecord[]> {
  return fc.uniqueArray(record, { minLength, maxLength, selector: ({ resource_id: id }) => id });
}

const condition = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Condition>('none') },
  { weight: 3, arbitrary: fc.constant<Condition>('right') },
  { weight: 1, arbitrary: fc.constantFrom<Condition>('earlier', 'later', 'other epoch') },
);

const batch: fc.Arbitrary<ModelBatch> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ mode: fc.constant('merge' as const), records }) },
  {
    weight: 1,
    arbitrary: fc.record({
      mode: fc.constant('replace' as const),
      records,
      allowRemoval: fc.oneof(fc.constantFrom(undefined, 'all' as const), fc.nat(20)),
    }),
  },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('batch' as const),
      batch,
      isDryRun: fc.boolean(),
      format: fc.constantFrom('ndjson', 'json', 'yaml'),
      condition,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('remove' as const),
      resourceId: numberedText('id', idCount),
      condition,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('type' as const),
      key: fc.constantFrom(...typeKeys),
      defaults: fc.record({ product: fc.constantFrom('', 'product.a'), alertable: fc.boolean() }),
    }),
  },
);

export const anySteps = fc.array(step, { minLength: 1, maxLength: 15 });
