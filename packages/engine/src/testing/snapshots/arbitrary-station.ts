import { type ListQuery, noLabels, type Resource } from '@roster/contract';
import fc from 'fast-check';
import type { Head } from '../../port/store.ts';
import { buildResource } from './build-resource.ts';
import type { PlainChunk } from './naive-station.ts';

const types = ['resource_type.compute.vm', 'resource_type.compute.gpu', 'resource_type.net.lb'];
const products = ['', 'product.ecs', 'product.gpu'];
const states = ['ALERTSTATE_INACTIVE', 'ALERTSTATE_FIRING', 'ALERTSTATE_PENDING', 'ALERTSTATE_1'];

export function labelOfType(typeKey: string): string {
  return `Label of ${typeKey}`;
}

export function headAt(number: number): Head {
  return { epoch: 'e', number, revId: String(number) };
}

const id = fc.integer({ min: 0, max: 400 }).map((number) => `id-${number}`);
const displayName = fc.oneof(
  fc.integer({ min: 0, max: 50 }).map((number) => `node-${number}`),
  fc.constantFrom(
    'a',
    'ab',
    'abc',
    '节点-1',
    '\u{1F600}',
    '\uffff',
    '\uffff\uffff',
    '\ue000',
    'node-1 "quoted"',
    '<b>',
  ),
  fc.string({ minLength: 1, maxLength: 6, unit: 'grapheme' }),
);

export const anyResource: fc.Arbitrary<Resource> = fc
  .record({
    resourceId: id,
    displayName,
    typeKey: fc.constantFrom(...types),
    product: fc.constantFrom(...products),
    alertable: fc.boolean(),
    state: fc.constantFrom(...states),
    alertRulesCount: fc.nat(3),
    sku: fc.constantFrom('', '8 vCPU', '32 vCPU'),
    gpuModel: fc.constantFrom('', 'H100', 'A100'),
    labels: fc.constantFrom(noLabels, '{"rack":"r1"}', '{"rack":"r2"}', '{"owner":"search","rack":"r1"}'),
    createTime: fc.nat(5).map((day) => `2026-01-0${day + 1}T00:00:00.000Z`),
    stateSinceMs: fc.nat(5).map((day) => Date.UTC(2026, 1, day + 1)),
  })
  .map(buildResource);

export const anyChange: fc.Arbitrary<PlainChunk> = fc
  .record({
    put: fc.uniqueArray(anyResource, { selector: (each) => each.resourceId, maxLength: 60 }),
    removed: fc.uniqueArray(id, { maxLength: 20 }),
  })
  .map(({ put, removed }) => {
    const putIds = new Set(put.map((each) => each.resourceId));
    return { put, removed: removed.filter((each) => !putIds.has(each)) };
  });

export const anyQuery: fc.Arbitrary<ListQuery> = fc.record({
  resourceIds: fc.option(fc.uniqueArray(id, { minLength: 1, maxLength: 30 }), { nil: undefined, freq: 2 }),
  types: fc.option(fc.uniqueArray(fc.constantFrom(...types, 'resource_type.none'), { maxLength: 4 }), {
    nil: undefined,
  }),
  product: fc.option(fc.constantFrom('product.ecs', 'product.gpu', 'product.none'), { nil: undefined }),
  displayNamePrefix: fc.option(fc.oneof(displayName, fc.constantFrom('node-', 'n', '节', '\uffff')), {
    nil: undefined,
  }),
  alertableOnly: fc.boolean(),
  page: fc.constant(null),
});

/** As many resources as wanted, of all sorts, with ids of their own. */
export function backgroundResources(count: number): Resource[] {
  return Array.from({ length: count }, (_, at) =>
    buildResource({
      resourceId: `bg-${(at * 7919) % 100_003}`,
      displayName: `${'abcmnxyz'[at % 8]}ode-${(at * 31) % 977}`,
      typeKey: types[at % types.length]!,
      product: products[(at >> 2) % products.length]!,
      alertable: at % 5 !== 0,
      state: states[at % 7 === 0 ? 1 : 0]!,
      alertRulesCount: at % 4,
    }),
  );
}
