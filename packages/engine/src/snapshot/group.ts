import type { Block, Leaf } from './leaf.ts';

const maxGroup = 64;

/**
 * Neighbouring leaves of a list, with what is needed to find one of them. Never empty. Leaves share blocks, so that
 * there are few objects between a rank and its entry: each is a wait for memory in a large station.
 */
export interface Group {
  /** By leaf: the block that it is part of. */
  readonly blocks: readonly Block[];
  /** By leaf: where in its block it begins. */
  readonly starts: Uint32Array;
  /** Behind which rank, counted from the start of the group, each leaf ends. */
  readonly ends: Uint32Array;
  /** The lowest label of each leaf. */
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
  const joined: Group[] = [];
  for (const group of groups) {
    const previous = joined.at(-1);
    if (previous !== undefined && previous.blocks.length + group.blocks.length <= maxGroup >> 1) {
      joined[joined.length - 1] = createGroup([...leavesOf(previous), ...leavesOf(group)]);
    } else joined.push(group);
  }
  return joined;
}

export function leavesOf(group: Group): Leaf[] {
  return group.blocks.map((block, at) => leafAt(group, block, at));
}

export function lastLabelOf({ blocks, starts, ends, size }: Group): number {
  const at = blocks.length - 1;
  return blocks[at]!.labels[starts[at]! + size - startOf(ends, at) - 1]!;
}

export function startOf(ends: Uint32Array, at: number): number {
  return at === 0 ? 0 : ends[at - 1]!;
}

function leafAt({ starts, ends }: Group, block: Block, at: number): Leaf {
  const from = starts[at]!;
  return { block, from, to: from + ends[at]! - startOf(ends, at) };
}

function createGroup(leaves: readonly Leaf[]): Group {
  const blocks: Block[] = [];
  const starts = new Uint32Array(leaves.length);
  const ends = new Uint32Array(leaves.length);
  const firsts = new Float64Array(leaves.length);
  let size = 0;
  for (let at = 0; at < leaves.length; at++) {
    const { block, from, to } = leaves[at]!;
    size += to - from;
    blocks.push(block);
    starts[at] = from;
    ends[at] = size;
    firsts[at] = block.labels[from]!;
  }
  return { blocks, starts, ends, firsts, size };
}
