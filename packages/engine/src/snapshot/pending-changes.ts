import { firstNotBelow } from './binary-search.ts';
import { BlockBuilder, type Leaf, sizeOf, wholeBlock } from './leaf.ts';
import { labelOf, type Segment } from './segment.ts';

/** What changes in a list: slots that go and slots that come, both in list order. */
export interface ListChanges {
  readonly removed: ArrayLike<number>;
  readonly added: ArrayLike<number>;
  readonly segments: readonly Segment[];
}

/** Cursors over the removals and additions that are still to be applied to a list, both in list order. */
export class PendingChanges {
  readonly #removed: ArrayLike<number>;
  readonly #added: ArrayLike<number>;
  readonly #segments: readonly Segment[];
  #nextRemoved = 0;
  #nextAdded = 0;

  constructor({ removed, added, segments }: ListChanges) {
    this.#removed = removed;
    this.#added = added;
    this.#segments = segments;
  }

  /** Whether there are changes with labels below `bound`. */
  reachBelow(bound: number): boolean {
    return (
      this.#labelAt(this.#removed, this.#nextRemoved) < bound ||
      this.#labelAt(this.#added, this.#nextAdded) < bound
    );
  }

  /** The leaf with all changes whose labels lie below `bound` applied to it. It may be of any size. */
  mergeInto(leaf: Leaf, bound: number): Leaf {
    const more = this.#countBelow(this.#added, this.#nextAdded, bound);
    const fewer = this.#countBelow(this.#removed, this.#nextRemoved, bound);
    const merged = new BlockBuilder(sizeOf(leaf) + more - fewer);
    const { block, to } = leaf;
    let { from } = leaf;
    while (this.reachBelow(bound)) {
      const removedLabel = this.#labelAt(this.#removed, this.#nextRemoved);
      const addedLabel = this.#labelAt(this.#added, this.#nextAdded);
      const at = firstNotBelow(block.labels, Math.min(removedLabel, addedLabel), from, to);
      merged.append({ block, from, to: at });
      from = at;
      if (removedLabel <= addedLabel) {
        this.#nextRemoved++;
        from++;
      } else merged.push(this.#added[this.#nextAdded++]!, addedLabel);
    }
    merged.append({ block, from, to });
    return wholeBlock(merged.finish());
  }

  #countBelow(slots: ArrayLike<number>, next: number, bound: number): number {
    let end = next;
    while (this.#labelAt(slots, end) < bound) end++;
    return end - next;
  }

  #labelAt(slots: ArrayLike<number>, at: number): number {
    return at < slots.length ? labelOf(this.#segments, slots[at]!) : Number.POSITIVE_INFINITY;
  }
}
