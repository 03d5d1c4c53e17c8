import { orderKeyOf, type Segment } from '../rows/segment.ts';
import { BlockBuilder, firstNotBelow, type Leaf, sizeOf, wholeBlock } from './leaf.ts';

/** Slots to remove from and add to a list, both in list order. */
export interface ListChanges {
  readonly removed: ArrayLike<number>;
  readonly added: ArrayLike<number>;
  readonly segments: readonly Segment[];
}

/** Cursors over the removals and additions still to be applied. */
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

  reachBelow(bound: number): boolean {
    return (
      this.#keyAt(this.#removed, this.#nextRemoved) < bound ||
      this.#keyAt(this.#added, this.#nextAdded) < bound
    );
  }

  /** The leaf with all changes below `bound` applied. It may have any size. */
  mergeInto(leaf: Leaf, bound: number): Leaf {
    const more = this.#countBelow(this.#added, this.#nextAdded, bound);
    const fewer = this.#countBelow(this.#removed, this.#nextRemoved, bound);
    const merged = new BlockBuilder(sizeOf(leaf) + more - fewer);
    const { block, to } = leaf;
    let { from } = leaf;
    while (this.reachBelow(bound)) {
      const removedKey = this.#keyAt(this.#removed, this.#nextRemoved);
      const addedKey = this.#keyAt(this.#added, this.#nextAdded);
      const at = firstNotBelow(block.keys, Math.min(removedKey, addedKey), from, to);
      merged.append({ block, from, to: at });
      from = at;
      if (removedKey <= addedKey) {
        this.#nextRemoved++;
        from++;
      } else merged.push(this.#added[this.#nextAdded++]!, addedKey);
    }
    merged.append({ block, from, to });
    return wholeBlock(merged.finish());
  }

  #countBelow(slots: ArrayLike<number>, next: number, bound: number): number {
    let end = next;
    while (this.#keyAt(slots, end) < bound) end++;
    return end - next;
  }

  #keyAt(slots: ArrayLike<number>, at: number): number {
    return at < slots.length ? orderKeyOf(this.#segments, slots[at]!) : Number.POSITIVE_INFINITY;
  }
}
