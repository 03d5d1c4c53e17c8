import { type Leaf, leafOf } from './leaf.ts';
import { labelOf, type Segment } from './segment.ts';

/** Cursors over the removals and additions that are still to be applied to a list, both in list order. */
export class PendingChanges {
  readonly #removed: ArrayLike<number>;
  readonly #added: ArrayLike<number>;
  readonly #segments: readonly Segment[];
  #nextRemoved = 0;
  #nextAdded = 0;

  constructor(removed: ArrayLike<number>, added: ArrayLike<number>, segments: readonly Segment[]) {
    this.#removed = removed;
    this.#added = added;
    this.#segments = segments;
  }

  /** Whether there are changes with labels below `bound`. */
  reachBelow(bound: number): boolean {
    return (
      this.#isBelow(this.#removed, this.#nextRemoved, bound) ||
      this.#isBelow(this.#added, this.#nextAdded, bound)
    );
  }

  /** The leaf with all changes whose labels lie below `bound` applied to it. It may be of any size. */
  mergeInto(leaf: Leaf, bound: number): Leaf {
    const merged: number[] = [];
    for (let at = 0; at < leaf.slots.length; at++) {
      this.#takeAdded(merged, leaf.labels[at]!);
      if (this.#removed[this.#nextRemoved] === leaf.slots[at]) this.#nextRemoved++;
      else merged.push(leaf.slots[at]!);
    }
    this.#takeAdded(merged, bound);
    return leafOf(merged, this.#segments);
  }

  #takeAdded(merged: number[], bound: number): void {
    while (this.#isBelow(this.#added, this.#nextAdded, bound)) merged.push(this.#added[this.#nextAdded++]!);
  }

  #isBelow(slots: ArrayLike<number>, at: number, bound: number): boolean {
    return at < slots.length && labelOf(this.#segments, slots[at]!) < bound;
  }
}
