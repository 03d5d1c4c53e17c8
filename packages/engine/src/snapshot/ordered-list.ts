import { firstAbove, firstNotBelow } from './binary-search.ts';
import { type Group, groupLeaves, joinSmallGroups, lastLabelOf, leavesOf, startOf } from './group.ts';
import { type Block, blockOf, joinSmallLeaves, type Leaf, splitLeaf, wholeBlock } from './leaf.ts';
import { type ListChanges, PendingChanges } from './pending-changes.ts';
import type { Segment } from './segment.ts';
import type { TimeSlicer } from './time-slicer.ts';

/** Eight leaves: more of them would keep a block in memory for long after most were replaced. */
const entriesPerBlock = 3072;

/**
 * Slots in list order, in leaves, in groups of leaves. Immutable: `apply` makes a new list that shares
 * every leaf and group that did not change. Finding a rank or a label takes three binary searches.
 */
export class OrderedList {
  static readonly empty = new OrderedList([]);

  readonly size: number;
  readonly #groups: readonly Group[];
  /** Behind which rank each group ends. */
  readonly #ends: Uint32Array;
  /** The lowest label of each group. */
  readonly #firsts: Float64Array;
  /** The highest label of all. */
  readonly #last: number;

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
    this.#last = groups.length === 0 ? 0 : lastLabelOf(groups.at(-1)!);
  }

  static of(sortedSlots: Uint32Array, segments: readonly Segment[]): OrderedList {
    const leaves: Leaf[] = [];
    for (let from = 0; from < sortedSlots.length; from += entriesPerBlock) {
      const block = blockOf(sortedSlots.subarray(from, from + entriesPerBlock), segments);
      leaves.push(...splitLeaf(wholeBlock(block)));
    }
    return new OrderedList(groupLeaves(leaves));
  }

  /** How many entries have a label below `label`. */
  rankOf(label: number): number {
    const groupAt = firstNotBelow(this.#firsts, label) - 1;
    if (groupAt < 0) return 0;
    const group = this.#groups[groupAt]!;
    const leafAt = firstNotBelow(group.firsts, label) - 1;
    const start = group.starts[leafAt]!;
    const rank = startOf(group.ends, leafAt);
    const end = start + group.ends[leafAt]! - rank;
    const within = firstNotBelow(group.blocks[leafAt]!.labels, label, start, end) - start;
    return startOf(this.#ends, groupAt) + rank + within;
  }

  /** `rankOf` without looking into a leaf, as if the labels in it were spread evenly. */
  approximateRankOf(label: number): number {
    const groupAt = firstNotBelow(this.#firsts, label) - 1;
    if (groupAt < 0) return 0;
    const { firsts, ends } = this.#groups[groupAt]!;
    const leafAt = firstNotBelow(firsts, label) - 1;
    const first = firsts[leafAt]!;
    const next = firsts[leafAt + 1] ?? this.#firsts[groupAt + 1] ?? this.#last;
    const start = startOf(ends, leafAt);
    const share = next > first ? Math.min(1, (label - first) / (next - first)) : 1;
    return startOf(this.#ends, groupAt) + start + (ends[leafAt]! - start) * share;
  }

  /** How many entries come before the first one for which `isBefore` no longer holds. */
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
    return group.blocks[leafAt]!.slots[placeIn(group, leafAt, inGroup)]!;
  }

  labelAt(rank: number): number {
    const groupAt = firstAbove(this.#ends, rank);
    const group = this.#groups[groupAt]!;
    const inGroup = rank - startOf(this.#ends, groupAt);
    const leafAt = firstAbove(group.ends, inGroup);
    return group.blocks[leafAt]!.labels[placeIn(group, leafAt, inGroup)]!;
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
      let place = placeIn(group, leafAt, inGroup);
      const end = place + Math.min(group.ends[leafAt]! - inGroup, count - filled);
      while (place < end) target[filled++] = slots[place++]!;
      inGroup = group.ends[leafAt++]!;
      if (leafAt === group.blocks.length && filled < count) {
        group = this.#groups[++groupAt]!;
        leafAt = 0;
        inGroup = 0;
      }
    }
  }

  /** Walks the entries of the ranks from `from` up to `to`. */
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

  /** The list with changes. Every slot that they remove is in the list. */
  async apply(changes: ListChanges, slicer: TimeSlicer): Promise<OrderedList> {
    if (this.size === 0) return OrderedList.of(Uint32Array.from(changes.added), changes.segments);
    const pending = new PendingChanges(changes);
    const groups: Group[] = [];
    for (let at = 0; at < this.#groups.length; at++) {
      const bound = this.#firsts[at + 1] ?? Number.POSITIVE_INFINITY;
      if (pending.reachBelow(bound)) {
        groups.push(...groupLeaves(applyToGroup(this.#groups[at]!, pending, bound)));
        if (slicer.isDue) await slicer.pause();
      } else groups.push(this.#groups[at]!);
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
  /** The entry that the last call of `next` reached. */
  slot = 0;
  readonly #groups: readonly Group[];
  #groupAt: number;
  #leafAt: number;
  #left: number;
  /** Where the next entry is. */
  #block: Block | undefined;
  #place = 0;
  /** Where in its block the leaf ends. */
  #end = 0;

  constructor(groups: readonly Group[], start: CursorStart) {
    this.#groups = groups;
    this.#groupAt = start.groupAt;
    this.#leafAt = start.leafAt;
    this.#left = start.count;
    if (start.count > 0) this.#enterLeaf(start.inGroup);
  }

  /** Goes to the next entry and returns its label, or infinity behind the last one. */
  next(): number {
    if (this.#left === 0) return Number.POSITIVE_INFINITY;
    this.#left--;
    if (this.#place === this.#end) this.#enterNextLeaf();
    const { slots, labels } = this.#block!;
    this.slot = slots[this.#place]!;
    return labels[this.#place++]!;
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
    this.#place = placeIn(group, this.#leafAt, inGroup);
    this.#end = placeIn(group, this.#leafAt, group.ends[this.#leafAt]!);
  }
}

function applyToGroup(group: Group, changes: PendingChanges, groupBound: number): Leaf[] {
  const leaves: Leaf[] = [];
  for (const [at, leaf] of leavesOf(group).entries()) {
    const bound = group.firsts[at + 1] ?? groupBound;
    if (changes.reachBelow(bound)) leaves.push(...splitLeaf(changes.mergeInto(leaf, bound)));
    else leaves.push(leaf);
  }
  return joinSmallLeaves(leaves);
}

/** Where in its block an entry of a leaf lies, given its rank within the group. */
function placeIn({ starts, ends }: Group, leafAt: number, inGroup: number): number {
  return starts[leafAt]! + inGroup - startOf(ends, leafAt);
}

/** How many positions from 0 on `holds` is true for, given that it is never true again once it was false. */
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
