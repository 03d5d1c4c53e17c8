import type { Feed, Head } from '../../port/store.ts';
import { TimeSlicer } from '../../scheduling/time-slicer.ts';
import { AttributeSets } from '../rows/attribute-sets.ts';
import { allResources, Buckets, type LabelOf } from '../rows/buckets.ts';
import { IdIndex } from '../rows/id-index.ts';
import { bucketOf, orderKeyOf, rowsPerSegment, type Segment } from '../rows/segment.ts';
import { Snapshot } from '../snapshot.ts';
import { type ChangeSet, collectChanges } from './change-set.ts';
import { assignOrderKeys } from './order-keys.ts';
import { rebuild } from './rebuild.ts';

/** With more changes than this share of its resources, a rebuild is cheaper. */
const maxChangedShare = 1 / 4;
const leastLoggedChanges = 8192;
const toleratedIdleRows = 4 * rowsPerSegment;

export function emptySnapshot(head: Head, labelOf: LabelOf): Snapshot {
  return new Snapshot({
    head,
    segments: [],
    buckets: new Buckets(labelOf),
    attributes: new AttributeSets(),
    lists: [],
    ids: IdIndex.empty,
    changedEntries: 0,
  });
}

/**
 * Applies `feed` to `base`, which stays unchanged. A large feed yields to other work every few milliseconds.
 * Builds from snapshots that share segments must run one after another.
 */
export async function buildSnapshot(base: Snapshot, feed: Feed, labelOf: LabelOf): Promise<Snapshot> {
  const slicer = new TimeSlicer();
  const changes = await collectChanges(base, feed, slicer);
  const size = base.size + changes.added.length;
  const isLarge = changes.added.length + changes.removed.length > size * maxChangedShare;
  const isSparse = changes.segments.length * rowsPerSegment > 2 * size + toleratedIdleRows;
  const incremental =
    isLarge || isSparse ? undefined : await applyIncrementally(base, changes, feed.head, slicer);
  if (incremental !== undefined) return incremental;
  return rebuild(base, changes, feed.head, labelOf, slicer);
}

/** Undefined when the gaps between order keys are used up. */
async function applyIncrementally(
  base: Snapshot,
  changes: ChangeSet,
  head: Head,
  slicer: TimeSlicer,
): Promise<Snapshot | undefined> {
  const { segments, added, ids } = changes;
  const fresh = Array.from(added).filter((slot) => orderKeyOf(segments, slot) === 0);
  if (!assignOrderKeys(fresh, base.list(allResources), segments)) return undefined;
  const removed = changes.removed.toSorted((a, b) => orderKeyOf(segments, a) - orderKeyOf(segments, b));
  const removedByList = splitByList(removed, segments, base.buckets);
  const addedByList = splitByList(added, segments, base.buckets);
  const lists = Array.from({ length: base.buckets.listCount }, (_, number) => base.list(number));
  for (const number of new Set(removedByList.keys()).union(addedByList)) {
    const ofList = {
      removed: removedByList.get(number) ?? [],
      added: addedByList.get(number) ?? [],
      segments,
    };
    lists[number] = await lists[number]!.apply(ofList, slicer);
  }
  const changedEntries = countEntries(removedByList) + countEntries(addedByList);
  const isNewest = base.log.position === base.logPosition;
  if (isNewest) base.log.record(changes.removed, added, Math.max(leastLoggedChanges, base.size / 8));
  return new Snapshot({
    head,
    segments,
    buckets: base.buckets,
    attributes: base.attributes,
    lists,
    ids: ids.finish(),
    changedEntries,
    ...(isNewest ? { log: base.log } : {}),
  });
}

function splitByList(
  slots: Iterable<number>,
  segments: readonly Segment[],
  buckets: Buckets,
): Map<number, number[]> {
  const byList = new Map<number, number[]>();
  for (const slot of slots) {
    for (const list of buckets.at(bucketOf(segments, slot)).lists) {
      const known = byList.get(list);
      if (known === undefined) byList.set(list, [slot]);
      else known.push(slot);
    }
  }
  return byList;
}

function countEntries(byList: ReadonlyMap<number, readonly number[]>): number {
  let count = 0;
  for (const slots of byList.values()) count += slots.length;
  return count;
}
