import type { TimeSlicer } from '../../scheduling/time-slicer.ts';
import { OrderedList } from '../lists/ordered-list.ts';
import type { Buckets } from '../rows/buckets.ts';
import type { Segment } from '../rows/segment.ts';

/** Fills all lists of a snapshot from slots added in list order. */
export class ListFiller {
  readonly #lists: Uint32Array[] = [];
  readonly #filled: number[] = [];

  /** `rowsByBucket` has the number of slots that each bucket will get. */
  constructor(buckets: Buckets, rowsByBucket: readonly number[]) {
    const sizes = new Array<number>(buckets.listCount).fill(0);
    rowsByBucket.forEach((rows, bucket) => {
      for (const list of buckets.at(bucket).lists) sizes[list]! += rows;
    });
    for (const size of sizes) {
      this.#lists.push(new Uint32Array(size));
      this.#filled.push(0);
    }
  }

  add(slot: number, lists: readonly number[]): void {
    for (const list of lists) this.#lists[list]![this.#filled[list]!++] = slot;
  }

  async finish(segments: readonly Segment[], slicer: TimeSlicer): Promise<OrderedList[]> {
    const lists: OrderedList[] = [];
    for (const slots of this.#lists) lists.push(await OrderedList.of(slots, segments, slicer));
    return lists;
  }
}
