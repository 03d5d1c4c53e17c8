import { labelOf, type Segment } from './segment.ts';

const maxLeaf = 512;
const maxGroup = 64;

/** Slots in list order. Immutable: `apply` makes a new list that shares every leaf that did not change. */
export class OrderedList {
  static readonly empty = new OrderedList([]);

  readonly size: number;
  readonly #groups: readonly Group[];
  readonly #ends: Uint32Array;

  private constructor(groups: readonly Group[]) {
    this.#groups = groups;
    this.#ends = cumulate(groups.map((group) => group.size));
    this.size = groups.length === 0 ? 0 : this.#ends[groups.length - 1]!;
  }

  static of(sortedSlots: Uint32Array): OrderedList {
    return new OrderedList(groupsOf(splitLeaf(sortedSlots)));
  }

  /** How many entries have a label below `label`. */
  rankOf(label: number, segments: readonly Segment[]): number {
    return this.rankWhere((slot) => labelOf(segments, slot) < label);
  }

  /** How many entries have a label of at most `label`. */
  rankAfter(label: number, segments: readonly Segment[]): number {
    return this.rankWhere((slot) => labelOf(segments, slot) <= label);
  }

  /** How many entries come before the first one for which `isBefore` no longer holds. */
  rankWhere(isBefore: (slot: number) => boolean): number {
    const groups = this.#groups;
    const groupAt = lastWhere(groups.length, (position) => isBefore(groups[position]!.leaves[0]![0]!));
    if (groupAt < 0) return 0;
    const { leaves, ends } = groups[groupAt]!;
    const leafAt = lastWhere(leaves.length, (position) => isBefore(leaves[position]![0]!));
    const leaf = leaves[leafAt]!;
    const within = lastWhere(leaf.length, (position) => isBefore(leaf[position]!)) + 1;
    return (groupAt === 0 ? 0 : this.#ends[groupAt - 1]!) + (leafAt === 0 ? 0 : ends[leafAt - 1]!) + within;
  }

  slotAt(rank: number): number {
    const groupAt = firstAbove(this.#ends, rank);
    const { leaves, ends } = this.#groups[groupAt]!;
    const inGroup = groupAt === 0 ? rank : rank - this.#ends[groupAt - 1]!;
    const leafAt = firstAbove(ends, inGroup);
    return leaves[leafAt]![leafAt === 0 ? inGroup : inGroup - ends[leafAt - 1]!]!;
  }

  /** Copies `count` slots from `rank` on into `target`. The range must lie within the list. */
  copy(rank: number, count: number, target: Uint32Array): void {
    if (count === 0) return;
    let groupAt = firstAbove(this.#ends, rank);
    const inGroup = groupAt === 0 ? rank : rank - this.#ends[groupAt - 1]!;
    let group = this.#groups[groupAt]!;
    let leafAt = firstAbove(group.ends, inGroup);
    let inLeaf = leafAt === 0 ? inGroup : inGroup - group.ends[leafAt - 1]!;
    for (let filled = 0; filled < count; ) {
      const leaf = group.leaves[leafAt]!;
      const end = Math.min(leaf.length, inLeaf + count - filled);
      while (inLeaf < end) target[filled++] = leaf[inLeaf++]!;
      inLeaf = 0;
      leafAt++;
      if (leafAt === group.leaves.length && filled < count) {
        group = this.#groups[++groupAt]!;
        leafAt = 0;
      }
    }
  }

  *leaves(): Generator<Uint32Array> {
    for (const group of this.#groups) yield* group.leaves;
  }

  /** The list without `removed` and with `added`; both are in list order, and every removed slot is in the list. */
  apply(removed: ArrayLike<number>, added: ArrayLike<number>, segments: readonly Segment[]): OrderedList {
    if (this.size === 0) return OrderedList.of(Uint32Array.from(added));
    const changes = new PendingChanges(removed, added, segments);
    const groups: Group[] = [];
    for (let position = 0; position < this.#groups.length; position++) {
      const group = this.#groups[position]!;
      const next = this.#groups[position + 1];
      const bound = next === undefined ? Number.POSITIVE_INFINITY : labelOf(segments, next.leaves[0]![0]!);
      if (changes.reachBelow(bound)) groups.push(...groupsOf(applyToGroup(group, changes, bound, segments)));
      else groups.push(group);
    }
    return new OrderedList(joinSmallGroups(groups));
  }
}

interface Group {
  readonly leaves: readonly Uint32Array[];
  readonly ends: Uint32Array;
  readonly size: number;
}

/** Two cursors over the removals and additions that are still to be applied. */
class PendingChanges {
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

  reachBelow(bound: number): boolean {
    return this.#removalBelow(bound) || this.#additionBelow(bound);
  }

  /** The leaf's slots merged with all changes whose labels lie below `bound`. */
  mergeInto(leaf: Uint32Array, bound: number): Uint32Array {
    const merged: number[] = [];
    for (const slot of leaf) {
      const label = labelOf(this.#segments, slot);
      while (this.#additionBelow(label)) merged.push(this.#added[this.#nextAdded++]!);
      if (this.#nextRemoved < this.#removed.length && this.#removed[this.#nextRemoved] === slot) {
        this.#nextRemoved++;
      } else merged.push(slot);
    }
    while (this.#additionBelow(bound)) merged.push(this.#added[this.#nextAdded++]!);
    return Uint32Array.from(merged);
  }

  #removalBelow(bound: number): boolean {
    const next = this.#nextRemoved;
    return next < this.#removed.length && labelOf(this.#segments, this.#removed[next]!) < bound;
  }

  #additionBelow(bound: number): boolean {
    const next = this.#nextAdded;
    return next < this.#added.length && labelOf(this.#segments, this.#added[next]!) < bound;
  }
}

function applyToGroup(
  group: Group,
  changes: PendingChanges,
  groupBound: number,
  segments: readonly Segment[],
): Uint32Array[] {
  const leaves: Uint32Array[] = [];
  for (let position = 0; position < group.leaves.length; position++) {
    const leaf = group.leaves[position]!;
    const next = group.leaves[position + 1]?.[0];
    const bound = next === undefined ? groupBound : labelOf(segments, next);
    if (!changes.reachBelow(bound)) leaves.push(leaf);
    else leaves.push(...splitLeaf(changes.mergeInto(leaf, bound)));
  }
  return joinSmallLeaves(leaves);
}

function splitLeaf(slots: Uint32Array): Uint32Array[] {
  if (slots.length === 0) return [];
  if (slots.length <= maxLeaf) return [slots];
  const leaves: Uint32Array[] = [];
  const pieces = Math.ceil(slots.length / (maxLeaf * 0.75));
  for (let piece = 0; piece < pieces; piece++) {
    const from = Math.floor((slots.length * piece) / pieces);
    leaves.push(slots.slice(from, Math.floor((slots.length * (piece + 1)) / pieces)));
  }
  return leaves;
}

function joinSmallLeaves(leaves: readonly Uint32Array[]): Uint32Array[] {
  const joined: Uint32Array[] = [];
  for (const leaf of leaves) {
    const previous = joined.at(-1);
    if (previous !== undefined && previous.length + leaf.length <= maxLeaf >> 1) {
      const both = new Uint32Array(previous.length + leaf.length);
      both.set(previous);
      both.set(leaf, previous.length);
      joined[joined.length - 1] = both;
    } else joined.push(leaf);
  }
  return joined;
}

function groupsOf(leaves: readonly Uint32Array[]): Group[] {
  const groups: Group[] = [];
  const pieces = Math.ceil(leaves.length / maxGroup);
  for (let piece = 0; piece < pieces; piece++) {
    const from = Math.floor((leaves.length * piece) / pieces);
    groups.push(createGroup(leaves.slice(from, Math.floor((leaves.length * (piece + 1)) / pieces))));
  }
  return groups;
}

function joinSmallGroups(groups: readonly Group[]): Group[] {
  const joined: Group[] = [];
  for (const group of groups) {
    const previous = joined.at(-1);
    if (previous !== undefined && previous.leaves.length + group.leaves.length <= maxGroup >> 1) {
      joined[joined.length - 1] = createGroup([...previous.leaves, ...group.leaves]);
    } else joined.push(group);
  }
  return joined;
}

function createGroup(leaves: readonly Uint32Array[]): Group {
  const ends = cumulate(leaves.map((leaf) => leaf.length));
  return { leaves, ends, size: ends[ends.length - 1]! };
}

function cumulate(sizes: readonly number[]): Uint32Array {
  const ends = new Uint32Array(sizes.length);
  let sum = 0;
  for (let position = 0; position < sizes.length; position++) {
    sum += sizes[position]!;
    ends[position] = sum;
  }
  return ends;
}

/** The last position for which `holds` is true, given that it holds for a leading run only; -1 when for none. */
function lastWhere(length: number, holds: (position: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function firstAbove(ends: Uint32Array, rank: number): number {
  let low = 0;
  let high = ends.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ends[middle]! > rank) high = middle;
    else low = middle + 1;
  }
  return low;
}
