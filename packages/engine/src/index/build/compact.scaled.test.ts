import { everything } from '@roster/contract';
import { expect, it } from 'vitest';
import { scale, shortOnly } from '../../../../../testing/scale.ts';
import { RetainedSnapshots } from '../../retained-snapshots.ts';
import { TimeSlicer } from '../../scheduling/time-slicer.ts';
import { anything } from '../../testing/snapshots/arbitrary-search.ts';
import { backgroundResources, headAt, labelOfType } from '../../testing/snapshots/arbitrary-station.ts';
import { expectEqual } from '../../testing/snapshots/expect-equal.ts';
import { feedOf, NaiveStation } from '../../testing/snapshots/naive-station.ts';
import { idOf } from '../rows/segment.ts';
import { searchSnapshot } from '../search/search.ts';
import type { Snapshot } from '../snapshot.ts';
import { buildSnapshot, emptySnapshot } from './build-snapshot.ts';
import { compact } from './compact.ts';

const size = 30_000;
const changesPerRound = 300;
const rounds = scale(140, 400);
/** More than are kept whole: the others are derived, across rows that were moved meanwhile. */
const retainedRounds = 24;
const states = ['ALERTSTATE_FIRING', 'ALERTSTATE_PENDING', 'ALERTSTATE_INACTIVE'];

function copyOf({ resources }: NaiveStation): NaiveStation {
  const copy = new NaiveStation();
  for (const [id, resource] of resources) copy.resources.set(id, resource);
  return copy;
}

function rowsOf({ segments }: Snapshot): number {
  return segments.reduce((sum, { rowCount }) => sum + rowCount, 0);
}

async function newestFirst(snapshot: Snapshot): Promise<string[]> {
  const order = { field: 'state_since', isDescending: true } as const;
  const found = await searchSnapshot(snapshot, { ...anything, order }, () => new TimeSlicer());
  const slots = new Uint32Array(found.total);
  found.read(0, found.total, slots);
  return Array.from(slots, (slot) => idOf(snapshot.segments, slot));
}

it('keeps the memory of a station that changes all the time within bounds, and earlier snapshots as they were', async () => {
  const model = new NaiveStation();
  const put = backgroundResources(size);
  model.apply({ put, removed: [] });
  const empty = emptySnapshot(headAt(0), labelOfType);
  let snapshot = await buildSnapshot(empty, feedOf(headAt(1), [{ put, removed: [] }]), labelOfType);
  const { log } = snapshot;
  const retained = new RetainedSnapshots();
  const earlier: { number: number; model: NaiveStation }[] = [];
  let most = 0;
  let compactions = 0;
  for (let round = 0; round < rounds; round++) {
    const changed = Array.from({ length: changesPerRound }, (_, at) => {
      const resource = model.resources.get(put[(round * 1999 + at * 7) % size]!.resourceId)!;
      return { ...resource, state: states[(round + at) % 3]!, stateSinceMs: round * 1000 + (at % 5) };
    });
    const part = { put: changed, removed: [] };
    const before = snapshot;
    if (round >= rounds - retainedRounds) earlier.push({ number: before.head.number, model: copyOf(model) });
    model.apply(part);
    snapshot = await buildSnapshot(before, feedOf(headAt(round + 2), [part]), labelOfType);
    retained.add(before, round);
    for (let next: Snapshot | undefined = snapshot; next !== undefined; compactions++) {
      snapshot = next;
      next = await compact(snapshot, new TimeSlicer());
    }
    retained.forgetExpired(round - retainedRounds);
    if (round % 25 === 24) {
      const expected = model.list(everything).sort((a, b) => b.stateSinceMs - a.stateSinceMs);
      expect(await newestFirst(snapshot)).toEqual(expected.map((each) => each.resourceId));
    }
    most = Math.max(most, rowsOf(snapshot));
  }
  expect(snapshot.log).toBe(log);
  expect(compactions).toBeGreaterThan(rounds + 8);
  expect(most).toBeLessThan(size * 1.12 + 3 * 4096);
  const queries = [everything, { ...everything, types: [put[0]!.typeKey], displayNamePrefix: 'mode-1' }];
  for (const query of queries) expectEqual(snapshot, model, query);
  const text = await searchSnapshot(snapshot, { ...anything, text: 'mode-1' }, () => new TimeSlicer());
  expect(text.total).toBe(
    model.list(everything).filter((each) => each.displayName.includes('mode-1')).length,
  );
  for (const { number, model: then } of earlier) {
    const found = (await retained.find(headAt(number), snapshot))!;
    for (const query of queries) expectEqual(found, then, query);
    expect(found.summarise(everything)).toEqual(then.summarise(everything));
  }
  const many = model
    .list(everything)
    .slice(0, size / 2)
    .map((each) => ({ ...each, state: 'ALERTSTATE_1' }));
  model.apply({ put: many, removed: [] });
  snapshot = await buildSnapshot(snapshot, feedOf(headAt(1000), [{ put: many, removed: [] }]), labelOfType);
  expect(snapshot.log).not.toBe(log);
  for (const query of queries) expectEqual(snapshot, model, query);
});

shortOnly(
  it.each([
    ['attributes', 'labels', ({ attributes }: Snapshot) => attributes.size],
    ['kinds', 'product', ({ buckets }: Snapshot) => buckets.size],
  ] as const),
)('frees %s that no resource has any more', async (_, field, countOf) => {
  const put = backgroundResources(1_000);
  const empty = emptySnapshot(headAt(0), labelOfType);
  let snapshot = await buildSnapshot(empty, feedOf(headAt(1), [{ put, removed: [] }]), labelOfType);
  let most = 0;
  for (let round = 0; round < 80; round++) {
    const changed = put.slice(0, 100).map((each, at) => ({ ...each, [field]: `{"at":"${round}-${at}"}` }));
    const feed = feedOf(headAt(round + 2), [{ put: changed, removed: [] }]);
    snapshot = await buildSnapshot(snapshot, feed, labelOfType);
    most = Math.max(most, countOf(snapshot));
  }
  expect(most).toBeGreaterThan(2 * put.length);
  expect(most).toBeLessThan(5 * put.length);
});
