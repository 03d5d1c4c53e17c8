import type { Buckets } from './buckets.ts';
import { OrderedList } from './ordered-list.ts';
import type { Segment } from './segment.ts';
import type { TimeSlicer } from './time-slicer.ts';

/** Makes all lists of a snapshot from its slots, which come in list order. */
export class ListFiller {
  readonly #lists: Uint32Array[] = [];
  readonly #filled: number[] = [];

  /** `rowsByBucket` tells how many slots of each bucket will come. */
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
    for (const slots of this.#lists) {
      lists.push(OrderedList.of(slots, segments));
      if (slicer.isDue) await slicer.pause();
    }
    return lists;
  }
}
