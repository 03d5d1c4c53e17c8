import { everything, type Resource } from '@roster/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { longOnly, scale, shortOnly } from '../../../../../testing/scale.ts';
import { RenderedResources } from '../../port/rendered-resources.ts';
import {
  anyChange,
  anyQuery,
  backgroundResources,
  headAt,
  labelOfType,
} from '../../testing/snapshots/arbitrary-station.ts';
import { buildResource } from '../../testing/snapshots/build-resource.ts';
import { expectEqual, listIds } from '../../testing/snapshots/expect-equal.ts';
import { feedOf, NaiveStation, type PlainChunk } from '../../testing/snapshots/naive-station.ts';
import { renderRows } from '../render/render-rows.ts';
import type { Snapshot } from '../snapshot.ts';
import { buildSnapshot, emptySnapshot } from './build-snapshot.ts';

const idOf = ({ resourceId }: Resource) => resourceId;
const isLeaving = (_: Resource, at: number) => at % 71 === 3;

/** Of every 71 resources, some change their state or their display name, or get a neighbour. */
function changed(resource: Resource, at: number): Resource[] {
  const { resourceId, name, displayName } = resource;
  if ([0, 20, 40, 60].includes(at % 71)) return [{ ...resource, state: 'ALERTSTATE_FIRING' }];
  if (at % 71 === 1) return [{ ...resource, displayName: `${displayName} renamed` }];
  if (at % 71 === 2) return [{ ...resource, resourceId: `new ${resourceId}`, name: `new ${name}` }];
  return [];
}

function turnedRound({ columns }: RenderedResources): RenderedResources {
  const { ids, displayNames, kindOf, tails, ends } = columns;
  return new RenderedResources({
    ...columns,
    ids: ids.toReversed(),
    displayNames: displayNames.toReversed(),
    kindOf: kindOf.toReversed(),
    tails: tails.toReversed(),
    ends: ends.toReversed(),
  });
}

describe('buildSnapshot', () => {
  it('agrees with a plain filter-and-sort for any sequence of changes and any query', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(3000),
        fc.array(anyChange, { minLength: 1, maxLength: 8 }),
        fc.array(anyQuery, { minLength: 1, maxLength: 12 }),
        async (backgroundSize, changes, queries) => {
          const model = new NaiveStation();
          const background: PlainChunk = { put: backgroundResources(backgroundSize), removed: [] };
          model.apply(background);
          let snapshot = emptySnapshot(headAt(0), labelOfType);
          snapshot = await buildSnapshot(snapshot, feedOf(headAt(1), [background]), labelOfType);
          const earlier: [Snapshot, Resource[]][] = [];
          for (const [at, part] of changes.entries()) {
            earlier.push([snapshot, model.list(everything)]);
            model.apply(part);
            snapshot = await buildSnapshot(snapshot, feedOf(headAt(at + 2), [part]), labelOfType);
          }
          for (const each of [everything, ...queries]) expectEqual(snapshot, model, each);
          for (const [old, resources] of earlier) {
            const ids = resources.slice(0, 50).map((each) => each.resourceId);
            expect(listIds(old, everything, 0, 50)).toEqual({ total: resources.length, ids });
          }
        },
      ),
      { numRuns: scale(40, 150) },
    );
  });

  longOnly(it)(
    'takes in large feeds whatever their order, on nothing or on what was there, which stays as it was',
    async () => {
      const shuffled = backgroundResources(40_000);
      const sorted = shuffled.toSorted((a, b) => (a.displayName < b.displayName ? -1 : 1));
      const mid = { ...everything, displayNamePrefix: 'mode-1' };
      const byId = { ...everything, resourceIds: shuffled.slice(17, 97).map(idOf) };
      for (const resources of [shuffled, sorted, sorted.toReversed()]) {
        const model = new NaiveStation();
        const parts = Array.from({ length: 20 }, (_, at) => ({
          put: resources.slice(at * 2000, (at + 1) * 2000),
          removed: [],
        }));
        for (const part of parts) model.apply(part);
        const empty = emptySnapshot(headAt(0), labelOfType);
        const snapshot = await buildSnapshot(empty, feedOf(headAt(1), parts), labelOfType);
        for (const query of [everything, mid, byId]) expectEqual(snapshot, model, query);

        const renamed = parts.map(({ put }) => ({
          put: put.map((each) => ({ ...each, displayName: `new ${each.displayName}` })),
          removed: [],
        }));
        const after = new NaiveStation();
        for (const part of renamed) after.apply(part);
        const next = await buildSnapshot(snapshot, feedOf(headAt(2), renamed), labelOfType);
        for (const query of [everything, byId]) expectEqual(next, after, query);
        for (const query of [everything, mid, byId]) expectEqual(snapshot, model, query);
      }
    },
  );

  shortOnly(it)(
    'leaves the ids of older snapshots alone when a single change makes it lay a station out anew',
    async () => {
      const model = new NaiveStation();
      const put = backgroundResources(5_000);
      model.apply({ put, removed: [] });
      const neighbour = put[0]!;
      const empty = emptySnapshot(headAt(0), labelOfType);
      let snapshot = await buildSnapshot(empty, feedOf(headAt(1), [{ put, removed: [] }]), labelOfType);
      let layouts = 0;
      for (let at = 2; at < 122; at++) {
        // Each goes between the two before it, until there is no number between them.
        const displayName = `${neighbour.displayName} ${'ab'.repeat(at / 2)}${at % 2 === 0 ? 'a' : 'b'}`;
        const one = buildResource({ ...neighbour, resourceId: `one ${at}`, name: `one ${at}`, displayName });
        const next = await buildSnapshot(
          snapshot,
          feedOf(headAt(at), [{ put: [one], removed: [] }]),
          labelOfType,
        );
        if (next.segments[0] !== snapshot.segments[0]) {
          layouts++;
          const byId = { ...everything, resourceIds: put.slice(0, 500).map(idOf) };
          for (const each of [snapshot, next]) expectEqual(each, model, byId);
        }
        snapshot = next;
      }
      expect(layouts).toBeGreaterThan(1);
    },
  );

  longOnly(it)(
    'gives the room for ids back when a station shrinks, and takes what it was told to expect',
    async () => {
      const put = backgroundResources(40_000);
      const empty = emptySnapshot(headAt(0), labelOfType);
      const large = await buildSnapshot(
        empty,
        { ...feedOf(headAt(1), [{ put, removed: [] }]), size: put.length },
        labelOfType,
      );
      const grown = await buildSnapshot(empty, feedOf(headAt(1), [{ put, removed: [] }]), labelOfType);
      expect(large.ids.partitions).toHaveLength(128);
      expect(grown.ids.partitions.length).toBeLessThan(4 * large.ids.partitions.length);
      const removed = put.slice(10).map(idOf);
      const small = await buildSnapshot(large, feedOf(headAt(2), [{ put: [], removed }]), labelOfType);
      expect(small.ids.partitions).toHaveLength(1);
      expect(large.ids.partitions).toHaveLength(128);
      const model = new NaiveStation();
      model.apply({ put, removed: [] });
      const byId = { ...everything, resourceIds: put.slice(5, 30).map(idOf) };
      expectEqual(large, model, byId);
      model.apply({ put: [], removed });
      expectEqual(small, model, byId);
    },
  );

  shortOnly(it)('sorts what a store has packed in another order', async () => {
    const model = new NaiveStation();
    const put = backgroundResources(40_000);
    model.apply({ put, removed: [] });
    const parts = Array.from({ length: 20 }, (_, at) => put.slice(at * 2000, (at + 1) * 2000));
    const feed = {
      head: headAt(1),
      size: put.length,
      chunks: (async function* () {
        for (const part of parts) yield { put: turnedRound(RenderedResources.of(part)), removed: [] };
      })(),
    };
    const snapshot = await buildSnapshot(emptySnapshot(headAt(0), labelOfType), feed, labelOfType);
    for (const query of [everything, { ...everything, displayNamePrefix: 'mode-1' }]) {
      const expected = model.list(query).map(idOf);
      expect(listIds(snapshot, query, 0, put.length)).toEqual({ total: expected.length, ids: expected });
    }
  });

  shortOnly(it)(
    'keeps order when resources come one by one in ascending, descending and interleaved order',
    async () => {
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
        let snapshot = emptySnapshot(headAt(0), labelOfType);
        snapshot = await buildSnapshot(
          snapshot,
          feedOf(headAt(1), [{ put: ends, removed: [] }]),
          labelOfType,
        );
        for (let at = 0; at < 3000; at++) {
          const part = {
            put: [buildResource({ resourceId: `id-${at}`, displayName: nameOf(at) })],
            removed: [],
          };
          model.apply(part);
          snapshot = await buildSnapshot(snapshot, feedOf(headAt(at + 2), [part]), labelOfType);
        }
        expectEqual(snapshot, model, everything);
        expectEqual(snapshot, model, { ...everything, displayNamePrefix: 'm-00' });
      }
    },
  );

  shortOnly(it)('applies thousands of changes to a large station while other work goes on', async () => {
    const model = new NaiveStation();
    const put = backgroundResources(40_000);
    model.apply({ put, removed: [] });
    let snapshot = emptySnapshot(headAt(0), labelOfType);
    snapshot = await buildSnapshot(snapshot, feedOf(headAt(1), [{ put, removed: [] }]), labelOfType);
    const [firstSegment] = snapshot.segments;
    const part: PlainChunk = { put: put.flatMap(changed), removed: put.filter(isLeaving).map(idOf) };
    model.apply(part);
    let turns = 0;
    let turn = setImmediate(function count() {
      turns++;
      turn = setImmediate(count);
    });
    snapshot = await buildSnapshot(snapshot, feedOf(headAt(2), [part]), labelOfType);
    clearImmediate(turn);
    // Without pauses on the way there is one, behind all that the feed has brought.
    expect(turns).toBeGreaterThan(1);
    expect(snapshot.segments[0]).toBe(firstSegment);
    for (const query of [everything, { ...everything, types: ['resource_type.compute.vm'] }]) {
      const expected = model.list(query).map(idOf);
      expect(listIds(snapshot, query, 0, put.length * 2)).toEqual({ total: expected.length, ids: expected });
    }
  });

  shortOnly(it)(
    'shows changes one by one, here and there and of many neighbours, and leaves older snapshots alone',
    async () => {
      const put = backgroundResources(12_000);
      const inOrder = put.toSorted((a, b) => (a.displayName < b.displayName ? -1 : 1));
      const rulesOf = new Map(put.map(({ resourceId, alertRulesCount }) => [resourceId, alertRulesCount]));
      const rulesIn = (snapshot: Snapshot) => {
        const slots = new Uint32Array(put.length);
        const count = snapshot.select(everything).read(0, put.length, slots);
        const rows = renderRows('[', { snapshot, slots, count, overrides: undefined }, ']', Buffer.alloc);
        const parsed: { resource_id: string; alert_rules_count: number }[] = JSON.parse(rows.toString());
        return new Map(parsed.map((row) => [row.resource_id, row.alert_rules_count]));
      };
      let snapshot = emptySnapshot(headAt(0), labelOfType);
      snapshot = await buildSnapshot(snapshot, feedOf(headAt(1), [{ put, removed: [] }]), labelOfType);
      const shown: [Snapshot, ReadonlyMap<string, number>][] = [[snapshot, new Map(rulesOf)]];
      const choices = [
        inOrder.slice(7000, 7001),
        inOrder.filter((_, at) => at % 97 === 5),
        inOrder.slice(1000, 2500),
        inOrder.filter((_, at) => at % 1300 < 3),
        inOrder.slice(2000, 2002),
      ];
      for (const [at, chosen] of choices.entries()) {
        const changes = chosen.map((each) => ({ ...each, alertRulesCount: 100 + at }));
        for (const { resourceId } of chosen) rulesOf.set(resourceId, 100 + at);
        const feed = feedOf(headAt(at + 2), [{ put: changes, removed: [] }]);
        snapshot = await buildSnapshot(snapshot, feed, labelOfType);
        shown.push([snapshot, new Map(rulesOf)]);
      }
      const [first] = shown;
      for (const [each, expected] of shown) {
        expect(rulesIn(each)).toEqual(expected);
        // Not laid out anew.
        expect(each.segments[0] === first![0].segments[0]).toBe(true);
      }
    },
  );

  longOnly(it)('gives space back after many updates of the same resources', async () => {
    const put = backgroundResources(1000);
    let snapshot = emptySnapshot(headAt(0), labelOfType);
    snapshot = await buildSnapshot(snapshot, feedOf(headAt(1), [{ put, removed: [] }]), labelOfType);
    for (let round = 0; round < 300; round++) {
      const updates = put.slice(0, 200).map((each) => ({ ...each, alertRulesCount: round }));
      snapshot = await buildSnapshot(
        snapshot,
        feedOf(headAt(round + 2), [{ put: updates, removed: [] }]),
        labelOfType,
      );
    }
    expect(snapshot.size).toBe(1000);
    expect(snapshot.segments.length).toBeLessThan(10);
  });

  shortOnly(it)('sends each resource complete, with the documented fields in their order', async () => {
    const given = buildResource({
      resourceId: 'r-1',
      name: 'n"1',
      displayName: '显示',
      sku: '8 vCPU',
      gpuModel: 'H100',
      alertRulesCount: 3,
    });
    let snapshot = emptySnapshot(headAt(0), labelOfType);
    snapshot = await buildSnapshot(snapshot, feedOf(headAt(1), [{ put: [given], removed: [] }]), labelOfType);
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
