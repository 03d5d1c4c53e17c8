import type { Feed, Head } from '../../port/store.ts';
import { TimeSlicer } from '../../scheduling/time-slicer.ts';
import { AttributeSets } from '../rows/attribute-sets.ts';
import { allResources, Buckets, type LabelOf } from '../rows/buckets.ts';
import { IdIndex } from '../rows/id-index.ts';
import { orderKeyOf, rowsPerSegment, segmentOf } from '../rows/segment.ts';
import { Versions } from '../rows/versions.ts';
import { Snapshot } from '../snapshot.ts';
import { applyToLists } from './apply-to-lists.ts';
import { type ChangeSet, collectChanges } from './change-set.ts';
import { countRows } from './open-segments.ts';
import { assignOrderKeys } from './order-keys.ts';
import { rebuild } from './rebuild.ts';

/** With more changes than this share of its resources, a rebuild is cheaper. */
const maxChangedShare = 1 / 4;
const leastLoggedChanges = 8192;
const toleratedIdleRows = 4 * rowsPerSegment;

/** What `compact` does not free is freed by a rebuild: places of resources that are gone, for example. */
const maxRowsPerResource = 2;
const maxSlotsPerResource = 3;

/** Attributes and buckets that no resource has any more are only freed by a rebuild. */
const maxSetsPerResource = 2;
const toleratedSets = 2048;

export function emptySnapshot(head: Head, labelOf: LabelOf): Snapshot {
  return new Snapshot({
    head,
    segments: [],
    buckets: new Buckets(labelOf),
    attributes: new AttributeSets(),
    lists: [],
    ids: IdIndex.empty,
    versions: Versions.none,
    changedRows: 0,
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
  const slots = changes.segments.length * rowsPerSegment - toleratedIdleRows;
  const isSparse =
    slots > size * maxSlotsPerResource ||
    (slots > size * maxRowsPerResource && countRows(changes.segments) > size * maxRowsPerResource);
  const sets = Math.max(base.attributes.size, base.buckets.size) - toleratedSets;
  const isOutdated = sets > size * maxSetsPerResource;
  const mayShare = !isLarge && !isSparse && !isOutdated;
  const incremental = mayShare ? await applyIncrementally(base, changes, feed.head, slicer) : undefined;
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
  const { segments, added, removed } = changes;
  const fresh = Array.from(added).filter((slot) => orderKeyOf(segments, slot) === 0);
  if (!assignOrderKeys(fresh, base.list(allResources), segments)) return undefined;
  const lists = await applyToLists(base, changes, slicer);
  for (const slot of removed) segmentOf(segments, slot).endedRows++;
  const isNewest = base.log.position === base.logPosition;
  if (isNewest) base.log.record(removed, added, Math.max(leastLoggedChanges, base.size / 8));
  return new Snapshot({
    head,
    segments,
    openSegment: changes.openSegment,
    buckets: base.buckets,
    attributes: base.attributes,
    lists,
    ids: changes.ids.finish(),
    versions: changes.versions,
    changedRows: Math.max(added.length, removed.length),
    ...(isNewest ? { log: base.log } : {}),
  });
}
