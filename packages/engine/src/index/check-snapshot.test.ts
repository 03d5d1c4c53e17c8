import type { Resource } from '@roster/contract';
import { expect, it } from 'vitest';
import { Digest } from '../port/digest.ts';
import { RenderedResources } from '../port/rendered-resources.ts';
import { backgroundResources, headAt, labelOfType } from '../testing/snapshots/arbitrary-station.ts';
import { buildResource } from '../testing/snapshots/build-resource.ts';
import { feedOf } from '../testing/snapshots/naive-station.ts';
import { buildSnapshot, emptySnapshot } from './build/build-snapshot.ts';
import { checkSnapshot } from './check-snapshot.ts';
import { OrderedList } from './lists/ordered-list.ts';
import { Snapshot } from './snapshot.ts';

const resources = backgroundResources(100);

async function snapshotOf(...parts: Resource[][]): Promise<Snapshot> {
  let snapshot = emptySnapshot(headAt(0), labelOfType);
  for (const [at, put] of parts.entries()) {
    snapshot = await buildSnapshot(snapshot, feedOf(headAt(at + 1), [{ put, removed: [] }]), labelOfType);
  }
  return snapshot;
}

function digestOf(given: readonly Resource[]): string {
  const digest = new Digest();
  for (const resource of given) digest.add(resource);
  return digest.toString();
}

it('finds nothing wrong after a change of states and rules', async () => {
  const changed = resources
    .slice(0, 20)
    .map((each) => ({ ...each, state: 'ALERTSTATE_X', alertRulesCount: 9 }));
  const snapshot = await snapshotOf(resources, changed);
  expect(await checkSnapshot(snapshot, digestOf([...changed, ...resources.slice(20)]))).toBeUndefined();
});

it('finds any list that has lost its entries', async () => {
  const snapshot = await snapshotOf(resources);
  for (let list = 1; list < snapshot.lists.length; list++) {
    const broken = new Snapshot({
      ...snapshotParts(snapshot),
      lists: snapshot.lists.with(list, OrderedList.empty),
    });
    expect(await checkSnapshot(broken, digestOf(resources))).toMatch(`list ${list} has 0 entries`);
  }
});

it('finds a resource that is counted in a state it is not in', async () => {
  const snapshot = await snapshotOf(resources.map((each) => ({ ...each, state: 'ALERTSTATE_X' })));
  const at = snapshot.buckets.numberOf({ ...resources[0]!, state: 'ALERTSTATE_Y', hasRules: false });
  snapshot.segments[0]!.buckets[0] = at;
  expect(await checkSnapshot(snapshot, digestOf(resources))).toMatch('is counted as what it is not');
});

it('finds a resource that is listed as another', async () => {
  const [one, other] = [buildResource({ resourceId: 'one' }), buildResource({ resourceId: 'other' })];
  const { columns } = RenderedResources.of([one, other]);
  const mixedUp = { ...columns, tails: columns.tails.toReversed(), ends: columns.ends.toReversed() };
  const chunks = (async function* () {
    yield { put: new RenderedResources(mixedUp), removed: [] };
  })();
  const snapshot = await buildSnapshot(
    emptySnapshot(headAt(0), labelOfType),
    { head: headAt(1), size: 2, chunks },
    labelOfType,
  );
  expect(await checkSnapshot(snapshot, digestOf([one, other]))).toMatch('is listed as other');
});

it('finds that the store holds something else', async () => {
  const snapshot = await snapshotOf(resources);
  expect(await checkSnapshot(snapshot, digestOf(resources.slice(1)))).toMatch("the store's is 99:");
});

function snapshotParts({ head, segments, buckets, attributes, lists, ids, versions }: Snapshot) {
  return { head, segments, buckets, attributes, lists, ids, versions, changedRows: Number.POSITIVE_INFINITY };
}
