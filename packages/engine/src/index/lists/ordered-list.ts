import type { TimeSlicer } from '../../scheduling/time-slicer.ts';
import type { Segment } from '../rows/segment.ts';
import {
  type Block,
  blockOf,
  entriesPerBlock,
  firstAbove,
  firstNotBelow,
  type Group,
  groupLeaves,
  joinSmallGroups,
  joinSmallLeaves,
  type Leaf,
  leafAt,
  leavesOf,
  leavesPerBlock,
  replaceLeaf,
  splitLeaf,
  startOf,
  wholeBlock,
} from './leaf.ts';
import { type ListChanges, PendingChanges } from './pending-changes.ts';

/**
 * Slots in list order, in leaves, in groups of leaves. Immutable: `apply` returns a list that shares every
 * unchanged leaf and group. Finding a rank or a key takes three binary searches.
 */
export class OrderedList {
  static readonly empty = new OrderedList([]);

  readonly size: number;
  readonly #groups: readonly Group[];
  /** The rank behind the last entry of each group. */
  readonly #ends: Uint32Array;
  readonly #firsts: Float64Array;

  private constructor(groups: readonly Group[]) {
    this.#groups = groups;
    this.#ends = new Uint32Array(groups.length);
    this.#firsts = new Float64Array(groups.length);
    let size = 0;
    for (let at = 0; at < groups.length; at++) {
      size += groups[at]!.size;
      this.#ends[at] = size;
      this.#firsts[at] = groups[at]!.firsts[0]!;
    }
    this.size = size;
  }

  static async of(
    sortedSlots: Uint32Array,
    segments: readonly Segment[],
    slicer: TimeSlicer,
  ): Promise<OrderedList> {
    const leaves: Leaf[] = [];
    for (let from = 0; from < sortedSlots.length; from += entriesPerBlock) {
      const block = blockOf(sortedSlots.subarray(from, from + entriesPerBlock), segments);
      leaves.push(...splitLeaf(wholeBlock(block)));
      if (slicer.isDue) await slicer.pause();
    }
    return new OrderedList(groupLeaves(leaves));
  }

  /** How many entries have a key below `key`. */
  rankOf(key: number): number {
    const groupAt = firstNotBelow(this.#firsts, key) - 1;
    if (groupAt < 0) return 0;
    const group = this.#groups[groupAt]!;
    const leafAt = firstNotBelow(group.firsts, key) - 1;
    const start = group.starts[leafAt]!;
    const rank = startOf(group.ends, leafAt);
    const end = start + group.ends[leafAt]! - rank;
    const within = firstNotBelow(group.blocks[leafAt]!.keys, key, start, end) - start;
    return startOf(this.#ends, groupAt) + rank + within;
  }

  /** The number of leading entries for which `isBefore` holds. */
  rankWhere(isBefore: (slot: number) => boolean): number {
    const groups = this.#groups;
    const firstSlot = ({ blocks, starts }: Group, leafAt: number) => blocks[leafAt]!.slots[starts[leafAt]!]!;
    const groupAt = countLeading(groups.length, (at) => isBefore(firstSlot(groups[at]!, 0))) - 1;
    if (groupAt < 0) return 0;
    const group = groups[groupAt]!;
    const leafAt = countLeading(group.blocks.length, (at) => isBefore(firstSlot(group, at))) - 1;
    const { slots } = group.blocks[leafAt]!;
    const start = group.starts[leafAt]!;
    const rank = startOf(group.ends, leafAt);
    const within = countLeading(group.ends[leafAt]! - rank, (at) => isBefore(slots[start + at]!));
    return startOf(this.#ends, groupAt) + rank + within;
  }

  slotAt(rank: number): number {
    const groupAt = firstAbove(this.#ends, rank);
    const group = this.#groups[groupAt]!;
    const inGroup = rank - startOf(this.#ends, groupAt);
    const leafAt = firstAbove(group.ends, inGroup);
    return group.blocks[leafAt]!.slots[indexInBlock(group, leafAt, inGroup)]!;
  }

  keyAt(rank: number): number {
    const groupAt = firstAbove(this.#ends, rank);
    const group = this.#groups[groupAt]!;
    const inGroup = rank - startOf(this.#ends, groupAt);
    const leafAt = firstAbove(group.ends, inGroup);
    return group.blocks[leafAt]!.keys[indexInBlock(group, leafAt, inGroup)]!;
  }

  /** Copies `count` slots from `rank` on into `target`. The range must lie within the list. */
  copy(rank: number, count: number, target: Uint32Array): void {
    if (count === 0) return;
    let groupAt = firstAbove(this.#ends, rank);
    let group = this.#groups[groupAt]!;
    let inGroup = rank - startOf(this.#ends, groupAt);
    let leafAt = firstAbove(group.ends, inGroup);
    for (let filled = 0; filled < count; ) {
      const { slots } = group.blocks[leafAt]!;
      let index = indexInBlock(group, leafAt, inGroup);
      const end = index + Math.min(group.ends[leafAt]! - inGroup, count - filled);
      while (index < end) target[filled++] = slots[index++]!;
      inGroup = group.ends[leafAt++]!;
      if (leafAt === group.blocks.length && filled < count) {
        group = this.#groups[++groupAt]!;
        leafAt = 0;
        inGroup = 0;
      }
    }
  }

  /** Iterates over the ranks from `from` up to `to`. */
  cursor(from: number, to: number): ListCursor {
    if (from === to) return new ListCursor([], { groupAt: 0, leafAt: 0, inGroup: 0, count: 0 });
    const groupAt = firstAbove(this.#ends, from);
    const inGroup = from - startOf(this.#ends, groupAt);
    const leafAt = firstAbove(this.#groups[groupAt]!.ends, inGroup);
    return new ListCursor(this.#groups, { groupAt, leafAt, inGroup, count: to - from });
  }

  *leaves(): Generator<Uint32Array> {
    for (const group of this.#groups) {
      for (const { block, from, to } of leavesOf(group)) yield block.slots.subarray(from, to);
    }
  }

  /** The list with `changes` applied. It must contain every slot that they remove. */
  async apply(changes: ListChanges, slicer: TimeSlicer): Promise<OrderedList> {
    if (this.size === 0) return OrderedList.of(Uint32Array.from(changes.added), changes.segments, slicer);
    const pending = new PendingChanges(changes);
    const groups: Group[] = [];
    for (let at = 0; at < this.#groups.length; at++) {
      const group = this.#groups[at]!;
      const bound = this.#firsts[at + 1] ?? Number.POSITIVE_INFINITY;
      if (!pending.reachBelow(bound)) {
        groups.push(group);
        continue;
      }
      groups.push(...applyToGroup(group, pending, bound));
      if (slicer.isDue) await slicer.pause();
    }
    return new OrderedList(joinSmallGroups(groups));
  }
}

interface CursorStart {
  readonly groupAt: number;
  readonly leafAt: number;
  readonly inGroup: number;
  readonly count: number;
}

class ListCursor {
  /** The entry reached by the last `next`. */
  slot = 0;
  readonly #groups: readonly Group[];
  #groupAt: number;
  #leafAt: number;
  #left: number;
  #block: Block | undefined;
  #index = 0;
  /** Where in its block the leaf ends. */
  #end = 0;

  constructor(groups: readonly Group[], start: CursorStart) {
    this.#groups = groups;
    this.#groupAt = start.groupAt;
    this.#leafAt = start.leafAt;
    this.#left = start.count;
    if (start.count > 0) this.#enterLeaf(start.inGroup);
  }

  /** Moves to the next entry and returns its key, or infinity at the end. */
  next(): number {
    if (this.#left === 0) return Number.POSITIVE_INFINITY;
    this.#left--;
    if (this.#index === this.#end) this.#enterNextLeaf();
    const { slots, keys } = this.#block!;
    this.slot = slots[this.#index]!;
    return keys[this.#index++]!;
  }

  #enterNextLeaf(): void {
    let inGroup = this.#groups[this.#groupAt]!.ends[this.#leafAt++]!;
    if (this.#leafAt === this.#groups[this.#groupAt]!.blocks.length) {
      this.#groupAt++;
      this.#leafAt = 0;
      inGroup = 0;
    }
    this.#enterLeaf(inGroup);
  }

  #enterLeaf(inGroup: number): void {
    const group = this.#groups[this.#groupAt]!;
    this.#block = group.blocks[this.#leafAt]!;
    this.#index = indexInBlock(group, this.#leafAt, inGroup);
    this.#end = indexInBlock(group, this.#leafAt, group.ends[this.#leafAt]!);
  }
}

/** Most changes are single ones, which change one leaf. */
function applyToGroup(group: Group, changes: PendingChanges, groupBound: number): Group[] {
  const at = Math.max(0, firstNotBelow(group.firsts, changes.nextKey + 1) - 1);
  const bound = group.firsts[at + 1] ?? groupBound;
  if (changes.reachInto(bound, groupBound)) return groupLeaves(applyToLeaves(group, changes, groupBound));
  const leaf = changes.mergeInto([leafAt(group, at)], bound);
  const replaced = replaceLeaf(group, at, leaf);
  if (replaced !== undefined) return [replaced];
  return groupLeaves(joinSmallLeaves(leavesOf(group).toSpliced(at, 1, ...splitLeaf(leaf))));
}

/** Adjacent leaves that change get a block together: allocating one for each takes most of the time of a large change. */
function applyToLeaves(group: Group, changes: PendingChanges, groupBound: number): Leaf[] {
  const leaves: Leaf[] = [];
  const all = leavesOf(group);
  const boundOf = (at: number) => group.firsts[at + 1] ?? groupBound;
  for (let at = 0; at < all.length; ) {
    let end = at;
    if (changes.reachBelow(boundOf(at))) end++;
    while (end > at && end < Math.min(all.length, at + leavesPerBlock)) {
      if (!changes.reachInto(group.firsts[end]!, boundOf(end))) break;
      end++;
    }
    if (end === at) leaves.push(all[at++]!);
    else {
      leaves.push(...splitLeaf(changes.mergeInto(all.slice(at, end), boundOf(end - 1))));
      at = end;
    }
  }
  return joinSmallLeaves(leaves);
}

/** The index in its block of the entry with a rank within the group. */
function indexInBlock({ starts, ends }: Group, leafAt: number, inGroup: number): number {
  return starts[leafAt]! + inGroup - startOf(ends, leafAt);
}

/** The number of leading positions for which `holds` is true. */
function countLeading(length: number, holds: (at: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
