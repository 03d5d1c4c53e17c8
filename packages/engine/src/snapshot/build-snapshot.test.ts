import type { ListQuery, Resource } from '@roster/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChangePart, Head } from '../store.ts';
import { buildResource } from '../testing/build-resource.ts';
import { feedOf, NaiveStation } from '../testing/naive-station.ts';
import { buildSnapshot, emptySnapshot } from './build-snapshot.ts';
import { renderRows } from './render-rows.ts';
import type { Snapshot } from './snapshot.ts';

const types = ['resource_type.compute.vm', 'resource_type.compute.gpu', 'resource_type.net.lb'];
const products = ['', 'product.ecs', 'product.gpu'];
const labelOf = (typeKey: string) => `Label of ${typeKey}`;

const everything: ListQuery = {
  resourceIds: undefined,
  types: undefined,
  product: undefined,
  displayNamePrefix: undefined,
  alertableOnly: false,
  page: null,
};

function headAt(number: number): Head {
  return { epoch: 'e', number, revId: String(number) };
}

function listIds(snapshot: Snapshot, query: ListQuery, offset: number, size: number) {
  const selection = snapshot.select(query);
  const slots = new Uint32Array(size);
  const count = selection.read(offset, size, slots);
  const json = renderRows(
    '[',
    { snapshot, slots, count, overrides: undefined },
    ']',
    Buffer.alloc,
  ).toString();
  const rows: { resource_id: string; display_name: string }[] = JSON.parse(json);
  return { total: selection.total, ids: rows.map((row) => row.resource_id) };
}

function expectEqual(snapshot: Snapshot, model: NaiveStation, query: ListQuery): void {
  const expected = model.list(query);
  for (const [offset, size] of [
    [0, 20],
    [Math.floor(expected.length / 2), 7],
    [Math.max(0, expected.length - 3), 10],
    [expected.length + 5, 5],
  ] as const) {
    const page = expected.slice(offset, offset + size).map((resource) => resource.resourceId);
    expect(listIds(snapshot, query, offset, size)).toEqual({ total: expected.length, ids: page });
  }
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
const resource: fc.Arbitrary<Resource> = fc
  .record({
    resourceId: id,
    displayName,
    typeKey: fc.constantFrom(...types),
    product: fc.constantFrom(...products),
    alertable: fc.boolean(),
    alertRulesCount: fc.nat(9),
  })
  .map(buildResource);
const change: fc.Arbitrary<ChangePart> = fc
  .record({
    put: fc.uniqueArray(resource, { selector: (each) => each.resourceId, maxLength: 60 }),
    removed: fc.uniqueArray(id, { maxLength: 20 }),
  })
  .map(({ put, removed }) => {
    const putIds = new Set(put.map((each) => each.resourceId));
    return { put, removed: removed.filter((each) => !putIds.has(each)) };
  });
const query: fc.Arbitrary<ListQuery> = fc.record({
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

describe('buildSnapshot', () => {
  it('agrees with a plain filter-and-sort for any sequence of changes and any query', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(3000),
        fc.array(change, { minLength: 1, maxLength: 8 }),
        fc.array(query, { minLength: 1, maxLength: 12 }),
        async (backgroundSize, changes, queries) => {
          const model = new NaiveStation();
          const background: ChangePart = { put: backgroundResources(backgroundSize), removed: [] };
          model.apply(background);
          let snapshot = emptySnapshot(headAt(0), labelOf);
          snapshot = await buildSnapshot(snapshot, feedOf(headAt(1), [background]), labelOf);
          const earlier: [Snapshot, Resource[]][] = [];
          for (const [at, part] of changes.entries()) {
            earlier.push([snapshot, model.list(everything)]);
            model.apply(part);
            snapshot = await buildSnapshot(snapshot, feedOf(headAt(at + 2), [part]), labelOf);
          }
          for (const each of [everything, ...queries]) expectEqual(snapshot, model, each);
          for (const [old, resources] of earlier) {
            const ids = resources.slice(0, 50).map((each) => each.resourceId);
            expect(listIds(old, everything, 0, 50)).toEqual({ total: resources.length, ids });
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it('keeps order when resources come one by one in ascending, descending and interleaved order', async () => {
    for (const nameOf of [
      (at: number) => `m-${String(at).padStart(6, '0')}`,
      (at: number) => `m-${String(9999 - at).padStart(6, '0')}`,
      (at: number) => `m-${String((at * 7919) % 10007).padStart(6, '0')}`,
    ]) {
      const model = new NaiveStation();
      const ends = [
        buildResource({ resourceId: 'a', displayName: 'a' }),
        buildResource({ resourceId: 'z', displayName: 'z' }),
      ];
      model.apply({ put: ends, removed: [] });
      let snapshot = emptySnapshot(headAt(0), labelOf);
      snapshot = await buildSnapshot(snapshot, feedOf(headAt(1), [{ put: ends, removed: [] }]), labelOf);
      for (let at = 0; at < 3000; at++) {
        const part = {
          put: [buildResource({ resourceId: `id-${at}`, displayName: nameOf(at) })],
          removed: [],
        };
        model.apply(part);
        snapshot = await buildSnapshot(snapshot, feedOf(headAt(at + 2), [part]), labelOf);
      }
      expectEqual(snapshot, model, everything);
      expectEqual(snapshot, model, { ...everything, displayNamePrefix: 'm-00' });
    }
  });

  it('gives space back after many updates of the same resources', async () => {
    const put = backgroundResources(1000);
    let snapshot = emptySnapshot(headAt(0), labelOf);
    snapshot = await buildSnapshot(snapshot, feedOf(headAt(1), [{ put, removed: [] }]), labelOf);
    for (let round = 0; round < 300; round++) {
      const updates = put.slice(0, 200).map((each) => ({ ...each, alertRulesCount: round }));
      snapshot = await buildSnapshot(
        snapshot,
        feedOf(headAt(round + 2), [{ put: updates, removed: [] }]),
        labelOf,
      );
    }
    expect(snapshot.size).toBe(1000);
    expect(snapshot.segments.length).toBeLessThan(10);
  });

  it('sends each resource complete, with the documented fields in their order', async () => {
    const given = buildResource({
      resourceId: 'r-1',
      name: 'n"1',
      displayName: '显示',
      sku: '8 vCPU',
      gpuModel: 'H100',
      alertRulesCount: 3,
    });
    let snapshot = emptySnapshot(headAt(0), labelOf);
    snapshot = await buildSnapshot(snapshot, feedOf(headAt(1), [{ put: [given], removed: [] }]), labelOf);
    const slots = new Uint32Array([0]);
    const rendered = renderRows(
      '[',
      { snapshot, slots, count: 1, overrides: undefined },
      ']',
      Buffer.alloc,
    ).toString();
    expect(rendered).toBe(
      '[{"resource_type":{"key":"resource_type.compute.vm","label":"Label of resource_type.compute.vm"},' +
        '"resource_id":"r-1","create_time":"2026-01-01T00:00:00.000Z","sku":"8 vCPU","state":"ALERTSTATE_INACTIVE",' +
        '"display_name":"显示","alert_rules_count":3,"name":"n\\"1","gpu_model":"H100"}]',
    );
  });
});

function backgroundResources(count: number): Resource[] {
  return Array.from({ length: count }, (_, at) =>
    buildResource({
      resourceId: `bg-${(at * 7919) % 100_003}`,
      displayName: `${'abcmnxyz'[at % 8]}ode-${(at * 31) % 977}`,
      typeKey: types[at % types.length]!,
      product: products[(at >> 2) % products.length]!,
      alertable: at % 5 !== 0,
    }),
  );
}
