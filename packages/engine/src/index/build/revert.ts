import type { Head } from '../../port/store.ts';
import type { TimeSlicer } from '../../scheduling/time-slicer.ts';
import type { SlotChanges } from '../lists/change-log.ts';
import { IdIndexBuilder } from '../rows/id-index.ts';
import { sortByOrderKey } from '../rows/list-order.ts';
import { idOf, placeOf, type Segment } from '../rows/segment.ts';
import { type Versions, VersionsBuilder } from '../rows/versions.ts';
import { Snapshot } from '../snapshot.ts';
import { applyToLists } from './apply-to-lists.ts';

const slotsBetweenChecks = 256;

/** An earlier snapshot that shares segments with a later one. */
export interface EarlierSnapshot {
  readonly head: Head;
  readonly logPosition: number;
}

/** Derives an earlier snapshot from a later one, in proportion to what changed. Undefined when that is not known. */
export async function revert(
  later: Snapshot,
  { head, logPosition }: EarlierSnapshot,
  slicer: TimeSlicer,
): Promise<Snapshot | undefined> {
  const { log } = later;
  // Rows of segments that are emptied while this goes on are not forgotten.
  const segments = log.segmentsAt(logPosition, later.segments);
  const since = await log.between(logPosition, later.logPosition, slicer);
  if (since === undefined) return undefined;
  const returning = await sortByOrderKey(Uint32Array.from(since.removed), segments, slicer);
  const lists = await applyToLists(later, { segments, removed: since.added, added: returning }, slicer);
  return new Snapshot({
    head,
    segments,
    buckets: later.buckets,
    attributes: later.attributes,
    lists,
    ids: await revertIds(later, segments, since, slicer),
    versions: await revertVersions(later, segments, returning, slicer),
    changedRows: since.removed.size,
    log,
    logPosition,
  });
}

async function revertVersions(
  later: Snapshot,
  segments: readonly Segment[],
  returning: Uint32Array,
  slicer: TimeSlicer,
): Promise<Versions> {
  const versions = new VersionsBuilder(later.versions);
  for (const [at, slot] of returning.entries()) {
    versions.set(placeOf(segments, slot), slot);
    if (at % slotsBetweenChecks === 0 && slicer.isDue) await slicer.pause();
  }
  return versions.finish();
}

/** Only resources that were created, removed or renamed have other places. */
async function revertIds(
  later: Snapshot,
  segments: readonly Segment[],
  { removed, added }: SlotChanges,
  slicer: TimeSlicer,
): Promise<Snapshot['ids']> {
  const before = await placesOf(removed, segments, slicer);
  const after = await placesOf(added, segments, slicer);
  const ids = new IdIndexBuilder(later.ids, later.size);
  let checked = 0;
  for (const place of after) {
    if (!before.has(place)) ids.remove(idOf(segments, place), segments);
    if (++checked % slotsBetweenChecks === 0 && slicer.isDue) await slicer.pause();
  }
  for (const place of before) {
    if (!after.has(place)) ids.add(idOf(segments, place), place, segments);
    if (++checked % slotsBetweenChecks === 0 && slicer.isDue) await slicer.pause();
  }
  return ids.finish();
}

async function placesOf(
  slots: ReadonlySet<number>,
  segments: readonly Segment[],
  slicer: TimeSlicer,
): Promise<Set<number>> {
  const places = new Set<number>();
  let checked = 0;
  for (const slot of slots) {
    places.add(placeOf(segments, slot));
    if (++checked % slotsBetweenChecks === 0 && slicer.isDue) await slicer.pause();
  }
  return places;
}
