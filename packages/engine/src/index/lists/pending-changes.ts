import { orderKeyOf, type Segment } from '../rows/segment.ts';
import {
  type Block,
  BlockBuilder,
  firstNotBelow,
  type Group,
  joinAdjacent,
  type Leaf,
  lastNotAbove,
  leavesPerBlock,
  sizeOf,
  startOf,
  wholeBlock,
} from './leaf.ts';

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

  /** Whether any of them has a key from `from` on and below `bound`. */
  reachInto(from: number, bound: number): boolean {
    return (
      this.#keyAt(this.#removed, this.#firstNotBelow(this.#removed, this.#nextRemoved, from)) < bound ||
      this.#keyAt(this.#added, this.#firstNotBelow(this.#added, this.#nextAdded, from)) < bound
    );
  }

  /**
   * The group with all changes below `bound` applied, if each of them only gives an entry another slot, as most do. The
   * new group then shares all keys.
   */
  replaceIn(group: Group, bound: number): Group | undefined {
    const count = this.#countBelow(this.#added, this.#nextAdded, bound);
    if (this.#countBelow(this.#removed, this.#nextRemoved, bound) !== count) return undefined;
    if (!this.#keepKeys(count)) return undefined;
    const { starts, ends, firsts, size } = group;
    const replaced = { blocks: group.blocks.slice(), starts, ends, firsts, size };
    const behind = this.#nextAdded + count;
    while (this.#nextAdded < behind) this.#replaceLeaves(replaced, group, behind);
    return replaced;
  }

  /** Adjacent leaves with all changes below `bound` applied, as one leaf of any size. */
  mergeInto(leaves: readonly Leaf[], bound: number): Leaf {
    const more = this.#countBelow(this.#added, this.#nextAdded, bound);
    const fewer = this.#countBelow(this.#removed, this.#nextRemoved, bound);
    const joined = more === fewer && this.#keepKeys(more) ? joinAdjacent(leaves) : undefined;
    if (joined !== undefined) return this.#replaceSlots(joined, more);
    const merged = new BlockBuilder(leaves.reduce((size, leaf) => size + sizeOf(leaf), more - fewer));
    for (const [at, leaf] of leaves.entries()) {
      const next = leaves[at + 1];
      this.#mergeOne(leaf, next === undefined ? bound : next.block.keys[next.from]!, merged);
    }
    return wholeBlock(merged.finish());
  }

  /** Whether each of the next changes only gives an entry another slot. */
  #keepKeys(count: number): boolean {
    for (let at = 0; at < count; at++) {
      const removedKey = this.#keyAt(this.#removed, this.#nextRemoved + at);
      if (removedKey !== this.#keyAt(this.#added, this.#nextAdded + at)) return false;
    }
    return true;
  }

  /** Gives adjacent leaves, from the next change on, a block with their new slots. */
  #replaceLeaves(
    group: { blocks: Block[]; starts: Uint32Array } & Group,
    before: Group,
    behind: number,
  ): void {
    const { blocks, starts, ends, firsts } = group;
    const firstLeaf = lastNotAbove(firsts, this.#keyAt(this.#added, this.#nextAdded));
    const block = blocks[firstLeaf]!;
    const from = starts[firstLeaf]!;
    const lengthOf = (leaf: number) => ends[leaf]! - startOf(ends, leaf);
    let to = from + lengthOf(firstLeaf);
    let count = 1;
    let lastLeaf = firstLeaf;
    for (let at = this.#nextAdded + 1; at < behind; at++, count++) {
      const key = this.#keyAt(this.#added, at);
      if (key < (firsts[lastLeaf + 1] ?? Number.POSITIVE_INFINITY)) continue;
      const next = lastLeaf + 1;
      const isAdjacent =
        blocks[next] === block && starts[next] === to && key < (firsts[next + 1] ?? Number.POSITIVE_INFINITY);
      if (!isAdjacent || next - firstLeaf === leavesPerBlock) break;
      to += lengthOf(next);
      lastLeaf = next;
    }
    const { block: made } = this.#replaceSlots({ block, from, to, first: firsts[firstLeaf]! }, count);
    if (from > 0 && starts === before.starts) group.starts = starts.slice();
    for (let leaf = firstLeaf; leaf <= lastLeaf; leaf++) {
      blocks[leaf] = made;
      if (from > 0) group.starts[leaf] = starts[leaf]! - from;
    }
  }

  /** Most changes keep their keys, which are two thirds of a block, so the new block shares them. */
  #replaceSlots({ block, from, to }: Leaf, count: number): Leaf {
    const slots = block.slots.slice(from, to);
    const keys = slots.length === block.keys.length ? block.keys : block.keys.subarray(from, to);
    let position = 0;
    for (let at = 0; at < count; at++) {
      const slot = this.#added[this.#nextAdded + at]!;
      position = firstNotBelow(keys, orderKeyOf(this.#segments, slot), position);
      slots[position] = slot;
    }
    this.#nextAdded += count;
    this.#nextRemoved += count;
    return wholeBlock({ slots, keys });
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
