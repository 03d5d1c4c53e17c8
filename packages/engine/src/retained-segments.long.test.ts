import { expect, it } from 'vitest';
import { buildSnapshot, emptySnapshot } from './index/build/build-snapshot.ts';
import { compact } from './index/build/compact.ts';
import { putInOrder } from './index/build/rebuild.ts';
import { searchSnapshot } from './index/search/search.ts';
import type { Snapshot } from './index/snapshot.ts';
import { RetainedSnapshots } from './retained-snapshots.ts';
import { TimeSlicer } from './scheduling/time-slicer.ts';
import { anything } from './testing/snapshots/arbitrary-search.ts';
import { backgroundResources, headAt, labelOfType } from './testing/snapshots/arbitrary-station.ts';
import { feedOf } from './testing/snapshots/naive-station.ts';

const resources = backgroundResources(40_000);

/** A large station, each snapshot of which is retained when the next one comes, and which is compacted. */
class HotStation {
  readonly retained = new RetainedSnapshots();
  newest = emptySnapshot(headAt(0), labelOfType);
  #number = 0;

  static async load(count = resources.length): Promise<HotStation> {
    const station = new HotStation();
    const put = resources.slice(0, count);
    station.newest = await buildSnapshot(
      station.newest,
      feedOf(headAt(0), [{ put, removed: [] }]),
      labelOfType,
    );
    return station;
  }

  /** Changes some resources, and each time others than before if `from` moves. */
  async change({ rounds = 1, from = 0, count = 1000, retain = true }): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      const before = this.newest;
      const number = ++this.#number;
      const put = resources.slice(from, from + count).map((each) => ({ ...each, alertRulesCount: number }));
      this.newest = await buildSnapshot(before, feedOf(headAt(number), [{ put, removed: [] }]), labelOfType);
      if (retain) this.retained.add(before, number);
      await this.compact();
    }
  }

  async compact(): Promise<void> {
    for (
      let next: Snapshot | undefined = this.newest;
      next;
      next = await compact(this.newest, new TimeSlicer())
    )
      this.newest = next;
  }

  async find(number: number): Promise<Snapshot> {
    return (await this.retained.find(headAt(number), this.newest))!;
  }
}

it('derives a revision from one that is older than segments that were emptied since', async () => {
  const station = await HotStation.load();
  await station.change({ rounds: 20 });
  await station.find(2);
  for (let from = 2_000; from < 12_000; from += 2_000) await station.change({ from, count: 2_000 });
  for (let round = 0; round < 12; round++) {
    await station.change({ rounds: 2 });
    // Keeps it whole.
    await station.find(2);
  }
  const derived = await station.find(1);
  expect(derived.size).toBe(resources.length);
  expect(station.retained.bytesBeside(station.newest)).toBeGreaterThan(0);
  const found = await searchSnapshot(derived, { ...anything, text: 'ode-1' }, () => new TimeSlicer());
  expect(found.total).toBeGreaterThan(0);
});

it('frees what was emptied at once if no earlier snapshot is retained', async () => {
  const station = await HotStation.load();
  await station.change({ rounds: 40, retain: false });
  const { segments, log } = station.newest;
  expect(Array.from(segments.keys()).filter((number) => log.needsEmptied(number))).toEqual([]);
});

it('counts the memory that is kept for earlier revisions', async () => {
  const station = await HotStation.load();
  await station.change({ rounds: 60 });
  // These are kept whole then, and need little.
  await station.change({ rounds: 20, count: 1 });
  const counted = station.retained.bytesBeside(station.newest);
  const oldest = await station.find(0);
  const emptied = oldest.segments.filter((segment, at) => segment !== station.newest.segments[at]);
  expect(counted).toBeGreaterThan(emptied.reduce((sum, { byteLength }) => sum + byteLength, 0));
});

it('keeps nothing of a revision that is retained again in another layout', async () => {
  const { newest: one, retained } = await HotStation.load(500);
  const other = await putInOrder(one, labelOfType, new TimeSlicer());
  retained.add(one, 10);
  retained.keepLast(one);
  retained.add(other, 20);
  retained.forgetExpired(30);
  expect([retained.size, retained.bytesBeside(other)]).toEqual([0, 0]);
});
