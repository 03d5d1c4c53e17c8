import { everything } from '@roster/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { scale } from '../../../../testing/scale.ts';
import {
  anyChange,
  anyQuery,
  backgroundResources,
  headAt,
  labelOfType,
} from '../testing/snapshots/arbitrary-station.ts';
import { buildResource } from '../testing/snapshots/build-resource.ts';
import { feedOf, NaiveStation } from '../testing/snapshots/naive-station.ts';
import { buildSnapshot, emptySnapshot } from './build/build-snapshot.ts';
import type { Snapshot } from './snapshot.ts';
import type { Summary } from './summary.ts';

it('agrees with a plain count for any sequence of changes and any query', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(2000),
      fc.array(anyChange, { minLength: 1, maxLength: 8 }),
      fc.array(anyQuery, { minLength: 1, maxLength: 12 }),
      async (backgroundSize, changes, queries) => {
        const model = new NaiveStation();
        let snapshot = emptySnapshot(headAt(0), labelOfType);
        const earlier: [Snapshot, Summary][] = [];
        for (const [at, part] of [
          { put: backgroundResources(backgroundSize), removed: [] },
          ...changes,
        ].entries()) {
          earlier.push([snapshot, model.summarise(everything)]);
          model.apply(part);
          snapshot = await buildSnapshot(snapshot, feedOf(headAt(at + 1), [part]), labelOfType);
        }
        for (const query of [everything, ...queries]) {
          expect(snapshot.summarise(query)).toEqual(model.summarise(query));
          expect(snapshot.summarise(query).total).toBe(snapshot.select(query).total);
        }
        for (const [old, summary] of earlier) expect(old.summarise(everything)).toEqual(summary);
      },
    ),
    { numRuns: scale(30, 150) },
  );
});

it('names states, types and products in order, and counts only what can have alerts as covered or not', async () => {
  const put = [
    buildResource({
      resourceId: '1',
      typeKey: 'resource_type.b',
      state: 'ALERTSTATE_PENDING',
      alertRulesCount: 2,
    }),
    buildResource({
      resourceId: '2',
      typeKey: 'resource_type.a',
      product: 'product.z',
      state: 'ALERTSTATE_FIRING',
    }),
    buildResource({ resourceId: '3', typeKey: 'resource_type.a', product: 'product.y', alertable: false }),
  ];
  const feed = feedOf(headAt(1), [{ put, removed: [] }]);
  const snapshot = await buildSnapshot(emptySnapshot(headAt(0), labelOfType), feed, labelOfType);
  const { byState, byType, byProduct, ...counts } = snapshot.summarise(everything);
  expect(counts).toEqual({ total: 3, alertable: 2, covered: 1, uncovered: 1 });
  expect(Object.keys(byState)).toEqual(['ALERTSTATE_FIRING', 'ALERTSTATE_INACTIVE', 'ALERTSTATE_PENDING']);
  expect(byType.map((each) => each.typeKey)).toEqual(['resource_type.a', 'resource_type.b']);
  expect(byProduct.map((each) => each.product)).toEqual(['', 'product.y', 'product.z']);
  expect(byType[0]).toEqual({
    typeKey: 'resource_type.a',
    total: 2,
    alertable: 1,
    covered: 0,
    uncovered: 1,
    byState: { ALERTSTATE_FIRING: 1, ALERTSTATE_INACTIVE: 1 },
  });
});

it('is all zeros for an empty station', () => {
  const counts = { total: 0, alertable: 0, covered: 0, uncovered: 0, byState: {} };
  const empty = emptySnapshot(headAt(0), labelOfType);
  expect(empty.summarise(everything)).toEqual({ ...counts, byType: [], byProduct: [] });
});
