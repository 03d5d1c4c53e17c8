import { everything } from '@roster/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { scale, shortOnly } from '../../../testing/scale.ts';
import { buildSnapshot, emptySnapshot } from './index/build/build-snapshot.ts';
import { searchSnapshot } from './index/search/search.ts';
import type { Snapshot } from './index/snapshot.ts';
import { RetainedSnapshots } from './retained-snapshots.ts';
import { TimeSlicer } from './scheduling/time-slicer.ts';
import { anything } from './testing/snapshots/arbitrary-search.ts';
import {
  anyChange,
  anyQuery,
  backgroundResources,
  headAt,
  labelOfType,
} from './testing/snapshots/arbitrary-station.ts';
import { expectEqual } from './testing/snapshots/expect-equal.ts';
import { feedOf, NaiveStation, type PlainChunk } from './testing/snapshots/naive-station.ts';

const retained = 40;

function copyOf({ resources }: NaiveStation): NaiveStation {
  const copy = new NaiveStation();
  for (const [id, resource] of resources) copy.resources.set(id, resource);
  return copy;
}

/** A station, each snapshot of which is retained when the next one comes. */
class ChangingStation {
  readonly retained = new RetainedSnapshots();
  readonly models: NaiveStation[] = [];
  layouts = 0;
  newest: Snapshot = emptySnapshot(headAt(0), labelOfType);
  readonly #model = new NaiveStation();

  async change(part: PlainChunk): Promise<void> {
    const before = this.newest;
    this.models.push(copyOf(this.#model));
    this.#model.apply(part);
    const number = this.models.length;
    this.newest = await buildSnapshot(before, feedOf(headAt(number), [part]), labelOfType);
    this.retained.add(before, number);
    if (before.log === this.newest.log) return;
    this.layouts++;
    this.retained.keepLast(before);
  }
}

it('gives every retained revision back as it was, for any sequence of changes and any query', async () => {
  let layouts = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.nat(2000),
      fc.array(anyChange, { minLength: 3, maxLength: 6 }),
      fc.array(anyQuery, { minLength: 1, maxLength: 4 }),
      fc.array(fc.nat(retained - 1), { minLength: 5, maxLength: 10 }),
      async (backgroundSize, changes, queries, asked) => {
        const station = new ChangingStation();
        await station.change({ put: backgroundResources(backgroundSize), removed: [] });
        for (let at = 1; at < retained; at++) await station.change(changes[at % changes.length]!);
        for (const number of asked) {
          const snapshot = (await station.retained.find(headAt(number), station.newest))!;
          expect(snapshot.head).toEqual(headAt(number));
          const model = station.models[number]!;
          expect(snapshot.size).toBe(model.resources.size);
          for (const query of [everything, ...queries]) {
            expectEqual(snapshot, model, query);
            expect(snapshot.summarise(query)).toEqual(model.summarise(query));
          }
        }
        layouts += station.layouts;
      },
    ),
    { numRuns: scale(15, 100) },
  );
  expect(layouts).toBeGreaterThan(0);
});

it('forgets the oldest first, and derives a revision once for all who ask at the same time', async () => {
  const station = new ChangingStation();
  const put = backgroundResources(500);
  await station.change({ put, removed: [] });
  for (let at = 1; at < retained; at++) {
    await station.change({ put: [{ ...put[at]!, state: 'ALERTSTATE_FIRING' }], removed: [] });
  }
  const find = (number: number) => station.retained.find(headAt(number), station.newest);
  const asked = [find(5), find(5)];
  expect(asked[0]).toBeInstanceOf(Promise);
  const [one, other] = await Promise.all(asked);
  expect(other).toBe(one);
  expect(find(5)).toBe(one);
  expect(find(retained - 1)).not.toBeInstanceOf(Promise);
  const text = await searchSnapshot(one!, { ...anything, text: 'ode-' }, () => new TimeSlicer());
  expect(text.total).toBe(500);
  station.retained.forgetExpired(6);
  expect([find(5), station.retained.size]).toEqual([undefined, retained - 6]);
  expect(find(6)).toBeInstanceOf(Promise);
  station.retained.forgetOlderHalf();
  expect(station.retained.size).toBe((retained - 6) / 2);
  expect((await find(retained - 2))?.head).toEqual(headAt(retained - 2));
  station.retained.clear();
  expect([station.retained.size, station.retained.bytesBeside(station.newest)]).toEqual([0, 0]);
});

shortOnly(it)(
  'derives revisions before many changes while other work goes on, each from the one after it',
  async () => {
    const station = new ChangingStation();
    const put = backgroundResources(60_000);
    await station.change({ put, removed: [] });
    const states = ['ALERTSTATE_FIRING', 'ALERTSTATE_PENDING'];
    for (let storm = 0; storm < 6; storm++) {
      const state = states[storm % states.length]!;
      const hit = put.filter((_, at) => at % 10 === storm);
      await station.change({ put: hit.map((each) => ({ ...each, state })), removed: [] });
    }
    for (let at = 0; at < 20; at++)
      await station.change({ put: [{ ...put[at]!, sku: 'other' }], removed: [] });
    expect(station.layouts).toBeLessThan(2);
    // Of this thread, so that a busy machine makes no difference.
    const usedMs = () => process.threadCpuUsage().user / 1000;
    const beginMs = usedMs();
    let longestMs = 0;
    let lastMs = beginMs;
    let turn = setImmediate(function look() {
      longestMs = Math.max(longestMs, usedMs() - lastMs);
      lastMs = usedMs();
      turn = setImmediate(look);
    });
    const numbers = [2, 4, 3, 6];
    const found = await Promise.all(
      numbers.map((number) => station.retained.find(headAt(number), station.newest)),
    );
    clearImmediate(turn);
    expect(longestMs).toBeLessThan(0.4 * (usedMs() - beginMs));
    for (const [at, number] of numbers.entries()) {
      expect(found[at]!.summarise(everything)).toEqual(station.models[number]!.summarise(everything));
    }
  },
);

it('does not find a revision of another epoch', async () => {
  const station = new ChangingStation();
  await station.change({ put: backgroundResources(3), removed: [] });
  expect(station.retained.find({ epoch: 'other', number: 0 }, station.newest)).toBeUndefined();
});
