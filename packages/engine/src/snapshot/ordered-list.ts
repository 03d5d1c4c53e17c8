import { firstAbove, firstNotBelow } from './binary-search.ts';
import { type Group, groupLeaves, joinSmallGroups } from './group.ts';
import { joinSmallLeaves, type Leaf, leafOf, splitLeaf } from './leaf.ts';
import { PendingChanges } from './pending-changes.ts';
import type { Segment } from './segment.ts';

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
    this.#last = groups.at(-1)?.leaves.at(-1)?.labels.at(-1) ?? 0;
  }

  static of(sortedSlots: ArrayLike<number>, segments: readonly Segment[]): OrderedList {
    return new OrderedList(groupLeaves(splitLeaf(leafOf(sortedSlots, segments))));
  }

  /** How many entries have a label below `label`. */
  rankOf(label: number): number {
    const groupAt = firstNotBelow(this.#firsts, label) - 1;
    if (groupAt < 0) return 0;
    const group = this.#groups[groupAt]!;
    const leafAt = firstNotBelow(group.firsts, label) - 1;
    const within = firstNotBelow(group.leaves[leafAt]!.labels, label);
    return startOf(this.#ends, groupAt) + startOf(group.ends, leafAt) + within;
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
    const groupAt = countLeading(groups.length, (at) => isBefore(groups[at]!.leaves[0]!.slots[0]!)) - 1;
    if (groupAt < 0) return 0;
    const { leaves, ends } = groups[groupAt]!;
    const leafAt = countLeading(leaves.length, (at) => isBefore(leaves[at]!.slots[0]!)) - 1;
    const { slots } = leaves[leafAt]!;
    const within = countLeading(slots.length, (at) => isBefore(slots[at]!));
    return startOf(this.#ends, groupAt) + startOf(ends, leafAt) + within;
  }

  slotAt(rank: number): number {
    const groupAt = firstAbove(this.#ends, rank);
    const group = this.#groups[groupAt]!;
    const inGroup = rank - startOf(this.#ends, groupAt);
    const leafAt = firstAbove(group.ends, inGroup);
    return group.leaves[leafAt]!.slots[inGroup - startOf(group.ends, leafAt)]!;
  }

  labelAt(rank: number): number {
    const groupAt = firstAbove(this.#ends, rank);
    const group = this.#groups[groupAt]!;
    const inGroup = rank - startOf(this.#ends, groupAt);
    const leafAt = firstAbove(group.ends, inGroup);
    return group.leaves[leafAt]!.labels[inGroup - startOf(group.ends, leafAt)]!;
  }

  /** Copies `count` slots from `rank` on into `target`. The range must lie within the list. */
  copy(rank: number, count: number, target: Uint32Array): void {
    if (count === 0) return;
    let groupAt = firstAbove(this.#ends, rank);
    let group = this.#groups[groupAt]!;
    const inGroup = rank - startOf(this.#ends, groupAt);
    let leafAt = firstAbove(group.ends, inGroup);
    let inLeaf = inGroup - startOf(group.ends, leafAt);
    for (let filled = 0; filled < count; ) {
      const { slots } = group.leaves[leafAt]!;
      const end = Math.min(slots.length, inLeaf + count - filled);
      while (inLeaf < end) target[filled++] = slots[inLeaf++]!;
      inLeaf = 0;
      leafAt++;
      if (leafAt === group.leaves.length && filled < count) {
        group = this.#groups[++groupAt]!;
        leafAt = 0;
      }
    }
  }

  /** Walks the entries of the ranks from `from` up to `to`. */
  cursor(from: number, to: number): ListCursor {
    if (from === to) return new ListCursor([], { groupAt: 0, leafAt: 0, inLeaf: 0, count: 0 });
    const groupAt = firstAbove(this.#ends, from);
    const group = this.#groups[groupAt]!;
    const inGroup = from - startOf(this.#ends, groupAt);
    const leafAt = firstAbove(group.ends, inGroup);
    const inLeaf = inGroup - startOf(group.ends, leafAt);
    return new ListCursor(this.#groups, { groupAt, leafAt, inLeaf, count: to - from });
  }

  *leaves(): Generator<Uint32Array> {
    for (const group of this.#groups) for (const leaf of group.leaves) yield leaf.slots;
  }

  /** The list without `removed` and with `added`; both are in list order, and every removed slot is in the list. */
  apply(removed: ArrayLike<number>, added: ArrayLike<number>, segments: readonly Segment[]): OrderedList {
    if (this.size === 0) return OrderedList.of(added, segments);
    const changes = new PendingChanges(removed, added, segments);
    const groups: Group[] = [];
    for (let at = 0; at < this.#groups.length; at++) {
      const bound = this.#firsts[at + 1] ?? Number.POSITIVE_INFINITY;
      if (changes.reachBelow(bound))
        groups.push(...groupLeaves(applyToGroup(this.#groups[at]!, changes, bound)));
      else groups.push(this.#groups[at]!);
    }
    return new OrderedList(joinSmallGroups(groups));
  }
}

interface CursorStart {
  readonly groupAt: number;
  readonly leafAt: number;
  readonly inLeaf: number;
  readonly count: number;
}

class ListCursor {
  /** The entry that the last call of `next` reached. */
  slot = 0;
  readonly #groups: readonly Group[];
  #groupAt: number;
  #leafAt: number;
  #inLeaf: number;
  #left: number;
  #leaf: Leaf | undefined;

  constructor(groups: readonly Group[], start: CursorStart) {
    this.#groups = groups;
    this.#groupAt = start.groupAt;
    this.#leafAt = start.leafAt;
    this.#inLeaf = start.inLeaf;
    this.#left = start.count;
    this.#leaf = groups[start.groupAt]?.leaves[start.leafAt];
  }

  /** Goes to the next entry and returns its label, or infinity behind the last one. */
  next(): number {
    if (this.#left === 0) return Number.POSITIVE_INFINITY;
    this.#left--;
    let leaf = this.#leaf!;
    if (this.#inLeaf === leaf.slots.length) leaf = this.#enterNextLeaf();
    this.slot = leaf.slots[this.#inLeaf]!;
    return leaf.labels[this.#inLeaf++]!;
  }

  #enterNextLeaf(): Leaf {
    this.#leafAt++;
    if (this.#leafAt === this.#groups[this.#groupAt]!.leaves.length) {
      this.#groupAt++;
      this.#leafAt = 0;
    }
    this.#inLeaf = 0;
    this.#leaf = this.#groups[this.#groupAt]!.leaves[this.#leafAt]!;
    return this.#leaf;
  }
}

function applyToGroup(group: Group, changes: PendingChanges, groupBound: number): Leaf[] {
  const leaves: Leaf[] = [];
  for (let at = 0; at < group.leaves.length; at++) {
    const bound = group.firsts[at + 1] ?? groupBound;
    if (changes.reachBelow(bound)) leaves.push(...splitLeaf(changes.mergeInto(group.leaves[at]!, bound)));
    else leaves.push(group.leaves[at]!);
  }
  return joinSmallLeaves(leaves);
}

function startOf(ends: Uint32Array, at: number): number {
  return at === 0 ? 0 : ends[at - 1]!;
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
