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
    return this.nextKey < bound;
  }

  /** The key of the next change, or infinity. */
  get nextKey(): number {
    return Math.min(this.#keyAt(this.#removed, this.#nextRemoved), this.#keyAt(this.#added, this.#nextAdded));
  }

  /** Whether any of them has a key from `from` on and below `bound`. */
  reachInto(from: number, bound: number): boolean {
    return (
      this.#keyAt(this.#removed, this.#firstNotBelow(this.#removed, this.#nextRemoved, from)) < bound ||
      this.#keyAt(this.#added, this.#firstNotBelow(this.#added, this.#nextAdded, from)) < bound
    );
  }

  /** Adjacent leaves with all changes below `bound` applied, as one leaf of any size. */
  mergeInto(leaves: readonly Leaf[], bound: number): Leaf {
    const more = this.#countBelow(this.#added, this.#nextAdded, bound);
    const fewer = this.#countBelow(this.#removed, this.#nextRemoved, bound);
    const merged = new BlockBuilder(leaves.reduce((size, leaf) => size + sizeOf(leaf), more - fewer));
    for (const [at, leaf] of leaves.entries()) {
      const next = leaves[at + 1];
      this.#mergeOne(leaf, next === undefined ? bound : next.block.keys[next.from]!, merged);
    }
    return wholeBlock(merged.finish());
  }

  #mergeOne({ block, from: start, to }: Leaf, bound: number, merged: BlockBuilder): void {
    let from = start;
    while (this.reachBelow(bound)) {
      const removedKey = this.#keyAt(this.#removed, this.#nextRemoved);
      const addedKey = this.#keyAt(this.#added, this.#nextAdded);
      const at = firstNotBelow(block.keys, Math.min(removedKey, addedKey), from, to);
      merged.append(block, from, at);
      from = at;
      if (removedKey <= addedKey) {
        this.#nextRemoved++;
        from++;
      } else merged.push(this.#added[this.#nextAdded++]!, addedKey);
    }
    merged.append(block, from, to);
  }

  #countBelow(slots: ArrayLike<number>, next: number, bound: number): number {
    return this.#firstNotBelow(slots, next, bound) - next;
  }

  #firstNotBelow(slots: ArrayLike<number>, next: number, bound: number): number {
    let end = next;
    while (this.#keyAt(slots, end) < bound) end++;
    return end;
  }

  #keyAt(slots: ArrayLike<number>, at: number): number {
    return at < slots.length ? orderKeyOf(this.#segments, slots[at]!) : Number.POSITIVE_INFINITY;
  }
}
