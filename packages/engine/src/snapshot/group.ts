import type { Leaf } from './leaf.ts';

const maxGroup = 64;

/** Neighbouring leaves of a list, with what is needed to find one of them. Never empty. */
export interface Group {
  readonly leaves: readonly Leaf[];
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
    if (previous !== undefined && previous.leaves.length + group.leaves.length <= maxGroup >> 1) {
      joined[joined.length - 1] = createGroup([...previous.leaves, ...group.leaves]);
    } else joined.push(group);
  }
  return joined;
}

function createGroup(leaves: readonly Leaf[]): Group {
  const ends = new Uint32Array(leaves.length);
  const firsts = new Float64Array(leaves.length);
  let size = 0;
  for (let at = 0; at < leaves.length; at++) {
    size += leaves[at]!.slots.length;
    ends[at] = size;
    firsts[at] = leaves[at]!.labels[0]!;
  }
  return { leaves, ends, firsts, size };
}
