import { matchesSearch, orderFields, type SearchQuery } from '@roster/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { longOnly } from '../../../../../testing/scale.ts';
import { TimeSlicer } from '../../scheduling/time-slicer.ts';
import { anySearch, anything } from '../../testing/snapshots/arbitrary-search.ts';
import {
  anyChange,
  anyResource,
  backgroundResources,
  headAt,
  labelOfType,
} from '../../testing/snapshots/arbitrary-station.ts';
import { countNaively, searchNaively } from '../../testing/snapshots/naive-search.ts';
import { feedOf, NaiveStation } from '../../testing/snapshots/naive-station.ts';
import { buildSnapshot, emptySnapshot } from '../build/build-snapshot.ts';
import { idOf } from '../rows/segment.ts';
import type { Snapshot } from '../snapshot.ts';
import { countFacets } from './facets.ts';
import { searchSnapshot } from './search.ts';

const allFacets = [
  'state',
  'resource_type',
  'product',
  'covered',
  'gpu_model',
  'sku',
  'label.rack',
  'label.owner',
];

async function idsOf(snapshot: Snapshot, query: SearchQuery, pageSize: number): Promise<string[]> {
  const selection = await searchSnapshot(snapshot, query, () => new TimeSlicer());
  const ids: string[] = [];
  const slots = new Uint32Array(pageSize);
  for (let offset = 0; offset < selection.total; offset += slots.length) {
    const read = selection.read(offset, slots.length, slots);
    for (const slot of slots.subarray(0, read)) ids.push(idOf(snapshot.segments, slot));
  }
  return ids;
}

async function expectSame(
  snapshot: Snapshot,
  model: NaiveStation,
  query: SearchQuery,
  facets = allFacets,
): Promise<void> {
  const resources = [...model.resources.values()];
  const expected = searchNaively(resources, query).map(({ resourceId }) => resourceId);
  expect(await idsOf(snapshot, query, resources.length > 1000 ? 1000 : 7)).toEqual(expected);
  const counted = await countFacets(snapshot, { ...query, facets }, () => new TimeSlicer());
  for (const facet of facets) {
    const { values, otherValues } = counted.get(facet)!;
    const counts = Object.fromEntries(values.map(({ value, count }) => [value, count]));
    expect(counts).toEqual(countNaively(resources, query, facet));
    expect(otherValues).toBe(0);
  }
}

it('is what matchesSearch says of each resource', () => {
  fc.assert(
    fc.property(anyResource, anySearch, (resource, query) => {
      expect(matchesSearch(resource, query)).toBe(searchNaively([resource], query).length === 1);
    }),
    { numRuns: 500 },
  );
});

describe('searchSnapshot', () => {
  it('agrees with a plain filter and sort for any sequence of changes and any search', async () => {
    const changes = fc.array(anyChange, { minLength: 1, maxLength: 4 });
    const searches = fc.array(anySearch, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(changes, searches, async (parts, queries) => {
        const model = new NaiveStation();
        let snapshot = emptySnapshot(headAt(0), labelOfType);
        for (const [at, part] of parts.entries()) {
          model.apply(part);
          snapshot = await buildSnapshot(snapshot, feedOf(headAt(at + 1), [part]), labelOfType);
          for (const query of queries) await expectSame(snapshot, model, query);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('finds a text only where it is, in rows of any length', async () => {
    const background = backgroundResources(3);
    const names = ['xxxxxxxxxxneedle', 'y', 'zzzzzzneedle'];
    const put = background.map((each, at) => ({ ...each, name: names[at]!, displayName: `${at}` }));
    const feed = feedOf(headAt(1), [{ put, removed: [] }]);
    const snapshot = await buildSnapshot(emptySnapshot(headAt(0), labelOfType), feed, labelOfType);
    const model = new NaiveStation();
    model.apply({ put, removed: [] });
    for (const text of ['needle', 'xneedle', 'y', 'eedle'])
      await expectSame(snapshot, model, { ...anything, text }, []);
  });

  longOnly(it)(
    'keeps its orders and counts through small changes of a large station, for older snapshots too',
    async () => {
      const model = new NaiveStation();
      const put = backgroundResources(10_000);
      model.apply({ put, removed: [] });
      const first = await buildSnapshot(
        emptySnapshot(headAt(0), labelOfType),
        feedOf(headAt(1), [{ put, removed: [] }]),
        labelOfType,
      );
      const queries = orderFields.map((field, at) => ({
        ...anything,
        order: { field, isDescending: at % 2 === 0 },
      }));
      queries.push({ ...queries[3]!, states: ['ALERTSTATE_INACTIVE'], text: 'e-1' });
      for (const query of queries) await expectSame(first, model, query, ['label.rack']);
      const before = new NaiveStation();
      before.apply({ put, removed: [] });
      let snapshot = first;
      for (let round = 0; round < 3; round++) {
        const changed = put.slice(round * 40, round * 40 + 60).map((each) => ({
          ...each,
          stateSinceMs: each.stateSinceMs + round,
          state: 'ALERTSTATE_FIRING',
          alertRulesCount: round,
          displayName: round % 2 === 0 ? each.displayName : `${each.displayName} ${round}`,
        }));
        const part = {
          put: changed,
          removed: put.slice(8_000 + round * 3, 8_003 + round * 3).map((each) => each.resourceId),
        };
        model.apply(part);
        snapshot = await buildSnapshot(snapshot, feedOf(headAt(round + 2), [part]), labelOfType);
        expect(snapshot.log).toBe(first.log);
        if (round % 2 === 0) for (const query of queries) await expectSame(snapshot, model, query, ['state']);
      }
      for (const query of queries) await expectSame(first, before, query, ['state']);
    },
  );
});
