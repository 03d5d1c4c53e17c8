import type { Head } from '../../port/store.ts';
import type { TimeSlicer } from '../../scheduling/time-slicer.ts';
import { AttributeSets } from '../rows/attribute-sets.ts';
import { Buckets, type LabelOf } from '../rows/buckets.ts';
import { IdIndexBuilder } from '../rows/id-index.ts';
import { compareSlots } from '../rows/list-order.ts';
import { RowMemory } from '../rows/row-memory.ts';
import {
  bucketOf,
  placeOf,
  rowOf,
  rowsPerSegment,
  Segment,
  segmentBits,
  segmentOf,
} from '../rows/segment.ts';
import { mergeInSlices } from '../rows/sort-in-slices.ts';
import { Versions } from '../rows/versions.ts';
import { Snapshot } from '../snapshot.ts';
import type { ChangeSet } from './change-set.ts';
import { ListFiller } from './list-filler.ts';
import { orderKeyGap } from './order-keys.ts';

const rowsBetweenChecks = 512;

/**
 * Rewrites all resources in list order: the rows of a page become adjacent in memory, order keys get even
 * gaps, and the space of ended versions is freed.
 */
export async function rebuild(
  base: Snapshot,
  changes: ChangeSet,
  head: Head,
  labelOf: LabelOf,
  slicer: TimeSlicer,
): Promise<Snapshot> {
  const kept = await keptSlots(base, changes, slicer);
  const compare = (a: number, b: number) => compareSlots(changes.segments, a, b);
  const sorted = await mergeInSlices(kept, changes.added, compare, slicer);
  const rowsByBucket = await countByBucket(sorted, changes.segments, slicer);
  const layout = new Layout({ base, changes, buckets: new Buckets(labelOf), rowsByBucket });
  for (let from = 0; from < sorted.length; from += rowsPerSegment) {
    const slots = sorted.subarray(from, from + rowsPerSegment);
    layout.openSegment(slots);
    for (let at = 0; at < slots.length; at += rowsBetweenChecks) {
      layout.append(slots.subarray(at, at + rowsBetweenChecks));
      if (slicer.isDue) await slicer.pause();
    }
  }
  return layout.finish(head, slicer);
}

/**
 * The same snapshot with its rows in list order. It shares none of them with `base`, which stays as it is.
 */
export function putInOrder(base: Snapshot, labelOf: LabelOf, slicer: TimeSlicer): Promise<Snapshot> {
  const ids = new IdIndexBuilder(base.ids, base.size);
  const { head, openSegment, versions } = base;
  const segments = base.segments.slice();
  const nothing = { segments, openSegment, ids, versions, removed: [], added: new Uint32Array(0) };
  return rebuild(base, nothing, head, labelOf, slicer);
}

async function keptSlots(base: Snapshot, changes: ChangeSet, slicer: TimeSlicer): Promise<Uint32Array> {
  const isRemoved = new Uint8Array(changes.segments.length * rowsPerSegment);
  for (const slot of changes.removed) isRemoved[slot] = 1;
  const kept = new Uint32Array(base.size);
  let count = 0;
  for (const slots of base.slots()) {
    for (const slot of slots) if (isRemoved[slot] === 0) kept[count++] = slot;
    if (slicer.isDue) await slicer.pause();
  }
  return kept.subarray(0, count);
}

async function countByBucket(
  slots: Uint32Array,
  segments: readonly Segment[],
  slicer: TimeSlicer,
): Promise<number[]> {
  const rows: number[] = [];
  for (let at = 0; at < slots.length; at++) {
    const bucket = bucketOf(segments, slots[at]!);
    rows[bucket] = (rows[bucket] ?? 0) + 1;
    if (at % rowsBetweenChecks === 0 && slicer.isDue) await slicer.pause();
  }
  return rows;
}

interface LayoutParts {
  readonly base: Snapshot;
  readonly changes: ChangeSet;
  /** Those of the new snapshot, still empty. */
  readonly buckets: Buckets;
  /** How many rows there will be, by old bucket. */
  readonly rowsByBucket: readonly number[];
}

class Layout {
  readonly #oldSegments: readonly Segment[];
  readonly #oldBuckets: Buckets;
  readonly #buckets: Buckets;
  /** By old bucket number. */
  readonly #newBuckets: number[] = [];
  readonly #oldAttributes: AttributeSets;
  readonly #attributes = new AttributeSets();
  /** By old number. */
  readonly #newAttributes: number[] = [];
  readonly #segments: Segment[] = [];
  readonly #ids: IdIndexBuilder;
  /** By old place. */
  readonly #newPlaces: Uint32Array;
  readonly #lists: ListFiller;
  readonly #gap: number;
  readonly #memory: RowMemory;
  /** By old segment: rows still to be copied. Segments of `base` are never freed. */
  readonly #rowsLeft: number[];
  #count = 0;

  constructor({ base, changes, buckets, rowsByBucket }: LayoutParts) {
    const oldSegments = changes.segments;
    this.#oldSegments = oldSegments;
    this.#ids = changes.ids;
    this.#newPlaces = new Uint32Array(oldSegments.length * rowsPerSegment);
    this.#oldBuckets = base.buckets;
    this.#oldAttributes = base.attributes;
    this.#buckets = buckets;
    this.#rowsLeft = oldSegments.map((segment, at) =>
      at < base.segments.length ? Number.POSITIVE_INFINITY : segment.rowCount,
    );
    this.#gap = orderKeyGap(rowsByBucket.reduce((sum, rows) => sum + rows, 0));
    this.#memory = new RowMemory(oldSegments.reduce((sum, { usedBytes }) => sum + usedBytes, 0));
    this.#lists = new ListFiller(buckets, this.#renumberBuckets(rowsByBucket));
  }

  /** Opens a segment just large enough for the rows of these old slots. */
  openSegment(slots: Uint32Array): void {
    let bytes = 0;
    for (const old of slots) {
      const { starts, tails, buckets } = segmentOf(this.#oldSegments, old);
      const row = rowOf(old);
      bytes +=
        this.#buckets.at(this.#newBuckets[buckets[row]!]!).rowStart.length + starts[row + 1]! - tails[row]!;
    }
    this.#segments.push(new Segment(this.#memory.take(bytes)));
  }

  /** Copies the rows of these old slots into the segment opened last. */
  append(slots: Uint32Array): void {
    const segment = this.#segments.at(-1)!;
    for (const old of slots) {
      const from = segmentOf(this.#oldSegments, old);
      const bucket = this.#newBuckets[from.buckets[rowOf(old)]!]!;
      const { rowStart, lists } = this.#buckets.at(bucket);
      const attributes = this.#attributesFor(from.attributes[rowOf(old)]!);
      const row = segment.append(from, rowOf(old), { bucket, attributes, rowStart });
      const slot = this.#count++;
      segment.orderKeys[row] = this.#gap * this.#count;
      this.#newPlaces[placeOf(this.#oldSegments, old)] = slot;
      this.#lists.add(slot, lists);
      if (--this.#rowsLeft[old >>> segmentBits]! === 0) from.release();
    }
  }

  async finish(head: Head, slicer: TimeSlicer): Promise<Snapshot> {
    const lists = await this.#lists.finish(this.#segments, slicer);
    await this.#ids.renumber(this.#newPlaces, slicer);
    return new Snapshot({
      head,
      segments: this.#segments,
      buckets: this.#buckets,
      attributes: this.#attributes,
      lists,
      ids: this.#ids.finish(),
      versions: Versions.none,
      changedRows: Number.POSITIVE_INFINITY,
    });
  }

  /** Attributes that no resource has any more are left behind. */
  #attributesFor(old: number): number {
    this.#newAttributes[old] ??= this.#attributes.numberOf(this.#oldAttributes.at(old));
    return this.#newAttributes[old];
  }

  /** Renumbers the buckets in use. Returns how many rows each has. */
  #renumberBuckets(rowsByOldBucket: readonly number[]): number[] {
    const rowsByBucket: number[] = [];
    rowsByOldBucket.forEach((rows, old) => {
      const bucket = this.#buckets.numberOf(this.#oldBuckets.at(old));
      this.#newBuckets[old] = bucket;
      rowsByBucket[bucket] = rows;
    });
    return rowsByBucket;
  }
}
