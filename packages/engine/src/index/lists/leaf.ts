import { orderKeyOf, type Segment } from '../rows/segment.ts';

/**
 * Every change copies a leaf, and what is copied lives long enough to make V8 collect all garbage: at 512 entries and
 * 1000 changes a second, every six seconds.
 */
const maxLeaf = 128;

/** A leaf that becomes smaller is joined with a neighbour if possible. */
const minLeaf = maxLeaf >> 2;

/** A larger block would stay in memory long after most of it was replaced. */
export const leavesPerBlock = 32;
export const entriesPerBlock = leavesPerBlock * maxLeaf * 0.75;

/** Fewer are copied faster one by one than through views. */
const entriesWorthABulkCopy = 64;

/** Entries of a list: slots and their order keys. */
export interface Block {
  readonly slots: Uint32Array;
  readonly keys: Float64Array;
}

/** Adjacent entries of a list: a block from `from` up to `to`. Never empty. */
export interface Leaf {
  readonly block: Block;
  readonly from: number;
  readonly to: number;
  /** The key of the first entry, because the block itself is rarely in the processor cache. */
  readonly first: number;
}

export function blockOf(slots: Uint32Array, segments: readonly Segment[]): Block {
  const keys = new Float64Array(slots.length);
  for (let at = 0; at < slots.length; at++) keys[at] = orderKeyOf(segments, slots[at]!);
  return { slots: slots.slice(), keys };
}

export class BlockBuilder {
  readonly #slots: Uint32Array;
  readonly #keys: Float64Array;
  #filled = 0;

  constructor(size: number) {
    const memory = new ArrayBuffer(size * (Float64Array.BYTES_PER_ELEMENT + Uint32Array.BYTES_PER_ELEMENT));
    this.#keys = new Float64Array(memory, 0, size);
    this.#slots = new Uint32Array(memory, this.#keys.byteLength, size);
  }

  push(slot: number, key: number): void {
    this.#slots[this.#filled] = slot;
    this.#keys[this.#filled++] = key;
  }

  /** Copies the entries of a block from `from` up to `to`. */
  append({ slots, keys }: Block, from: number, to: number): void {
    if (to - from > entriesWorthABulkCopy) {
      this.#slots.set(slots.subarray(from, to), this.#filled);
      this.#keys.set(keys.subarray(from, to), this.#filled);
    } else {
      for (let at = from, into = this.#filled; at < to; at++, into++) {
        this.#slots[into] = slots[at]!;
        this.#keys[into] = keys[at]!;
      }
    }
    this.#filled += to - from;
  }

  finish(): Block {
    return { slots: this.#slots, keys: this.#keys };
  }
}

export function wholeBlock(block: Block): Leaf {
  return { block, from: 0, to: block.slots.length, first: block.keys[0]! };
}

export function sizeOf({ from, to }: Leaf): number {
  return to - from;
}

/** The same entries in leaves small enough to copy, with room to grow. */
export function splitLeaf(leaf: Leaf): Leaf[] {
  const size = sizeOf(leaf);
  if (size === 0) return [];
  if (size <= maxLeaf) return [leaf];
  const { block } = leaf;
  const pieces = Math.ceil(size / (maxLeaf * 0.75));
  const start = (piece: number) => leaf.from + Math.floor((size * piece) / pieces);
  return Array.from({ length: pieces }, (_, piece) => {
    const from = start(piece);
    return { block, from, to: start(piece + 1), first: block.keys[from]! };
  });
}

export function joinSmallLeaves(leaves: readonly Leaf[]): Leaf[] {
  return joinNeighbours(leaves, (a, b) => {
    const size = sizeOf(a) + sizeOf(b);
    if (size > maxLeaf >> 1) return undefined;
    const joined = new BlockBuilder(size);
    joined.append(a.block, a.from, a.to);
    joined.append(b.block, b.from, b.to);
    return wholeBlock(joined.finish());
  });
}

/** Joins neighbours wherever `join` makes one of the two. */
function joinNeighbours<T>(items: readonly T[], join: (a: T, b: T) => T | undefined): T[] {
  const joined: T[] = [];
  for (const item of items) {
    const both = joined.length === 0 ? undefined : join(joined.at(-1)!, item);
    if (both === undefined) joined.push(item);
    else joined[joined.length - 1] = both;
  }
  return joined;
}

const maxGroup = 64;

/**
 * Adjacent leaves of a list and what it takes to find one. Never empty. Leaves share blocks: fewer objects
 * between a rank and its entry mean fewer cache misses.
 */
export interface Group {
  readonly blocks: readonly Block[];
  readonly starts: Uint32Array;
  /** By leaf: the rank within the group behind its last entry. */
  readonly ends: Uint32Array;
  readonly firsts: Float64Array;
  readonly size: number;
}

export function groupLeaves(leaves: readonly Leaf[]): Group[] {
  const groups: Group[] = [];
  const pieces = Math.ceil(leaves.length / maxGroup);
  for (let piece = 0; piece < pieces; piece++) {
    const from = Math.floor((leaves.length * piece) / pieces);
    groups.push(createGroup(leaves.slice(from, Math.floor((leaves.length * (piece + 1)) / pieces))));
  }
  return groups;
}

export function joinSmallGroups(groups: readonly Group[]): Group[] {
  return joinNeighbours(groups, (a, b) => {
    if (a.blocks.length + b.blocks.length > maxGroup >> 1) return undefined;
    return createGroup([...leavesOf(a), ...leavesOf(b)]);
  });
}

export function leavesOf(group: Group): Leaf[] {
  return group.blocks.map((_, at) => leafAt(group, at));
}

/** The group with another leaf in the place of one, if that may stay a leaf. It shares what does not change. */
export function replaceLeaf(group: Group, at: number, leaf: Leaf): Group | undefined {
  const size = sizeOf(leaf);
  const isAlone = group.blocks.length === 1;
  if (size === 0 || size > maxLeaf || (size < minLeaf && !isAlone)) return undefined;
  const more = size - group.ends[at]! + startOf(group.ends, at);
  const ends = group.ends.slice();
  for (let behind = at; behind < ends.length; behind++) ends[behind]! += more;
  return {
    blocks: group.blocks.with(at, leaf.block),
    starts: withValue(group.starts, at, leaf.from),
    ends,
    firsts: withValue(group.firsts, at, leaf.first),
    size: group.size + more,
  };
}

function withValue<Values extends Uint32Array | Float64Array>(
  values: Values,
  at: number,
  value: number,
): Values {
  return values[at] === value ? values : (values.with(at, value) as Values);
}

export function startOf(ends: Uint32Array, at: number): number {
  return at === 0 ? 0 : ends[at - 1]!;
}

export function leafAt({ blocks, starts, ends, firsts }: Group, at: number): Leaf {
  const from = starts[at]!;
  return { block: blocks[at]!, from, to: from + ends[at]! - startOf(ends, at), first: firsts[at]! };
}

function createGroup(leaves: readonly Leaf[]): Group {
  const blocks: Block[] = [];
  const starts = new Uint32Array(leaves.length);
  const ends = new Uint32Array(leaves.length);
  const firsts = new Float64Array(leaves.length);
  let size = 0;
  for (let at = 0; at < leaves.length; at++) {
    const { block, from, to, first } = leaves[at]!;
    size += to - from;
    blocks.push(block);
    starts[at] = from;
    ends[at] = size;
    firsts[at] = first;
  }
  return { blocks, starts, ends, firsts, size };
}

/** The first position from `from` up to `to` in ascending `values` that is not below `value`, or `to`. */
export function firstNotBelow(values: Float64Array, value: number, from = 0, to = values.length): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first position in ascending `values` that is above `value`; there must be one. */
export function firstAbove(values: Uint32Array, value: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
