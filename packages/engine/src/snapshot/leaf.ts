import { labelOf, type Segment } from './segment.ts';

const maxLeaf = 512;

/** Entries of a list, in order: their slots and, beside them, their labels. */
export interface Block {
  readonly slots: Uint32Array;
  readonly labels: Float64Array;
}

/** Neighbouring entries of a list: the part of a block from `from` up to `to`. Never empty. */
export interface Leaf {
  readonly block: Block;
  readonly from: number;
  readonly to: number;
}

export function blockOf(slots: Uint32Array, segments: readonly Segment[]): Block {
  const labels = new Float64Array(slots.length);
  for (let at = 0; at < slots.length; at++) labels[at] = labelOf(segments, slots[at]!);
  return { slots: slots.slice(), labels };
}

/** A block of known size that is filled from its start. */
export class BlockBuilder {
  readonly #slots: Uint32Array;
  readonly #labels: Float64Array;
  #filled = 0;

  constructor(size: number) {
    this.#slots = new Uint32Array(size);
    this.#labels = new Float64Array(size);
  }

  push(slot: number, label: number): void {
    this.#slots[this.#filled] = slot;
    this.#labels[this.#filled++] = label;
  }

  append({ block, from, to }: Leaf): void {
    this.#slots.set(block.slots.subarray(from, to), this.#filled);
    this.#labels.set(block.labels.subarray(from, to), this.#filled);
    this.#filled += to - from;
  }

  finish(): Block {
    return { slots: this.#slots, labels: this.#labels };
  }
}

export function wholeBlock(block: Block): Leaf {
  return { block, from: 0, to: block.slots.length };
}

export function sizeOf({ from, to }: Leaf): number {
  return to - from;
}

/** The same entries in leaves of bearable size with some room to grow. */
export function splitLeaf(leaf: Leaf): Leaf[] {
  const size = sizeOf(leaf);
  if (size === 0) return [];
  if (size <= maxLeaf) return [leaf];
  const { block, from } = leaf;
  const pieces = Math.ceil(size / (maxLeaf * 0.75));
  return Array.from({ length: pieces }, (_, piece) => ({
    block,
    from: from + Math.floor((size * piece) / pieces),
    to: from + Math.floor((size * (piece + 1)) / pieces),
  }));
}

export function joinSmallLeaves(leaves: readonly Leaf[]): Leaf[] {
  const joined: Leaf[] = [];
  for (const leaf of leaves) {
    const previous = joined.at(-1);
    const isSmall = previous !== undefined && sizeOf(previous) + sizeOf(leaf) <= maxLeaf >> 1;
    if (isSmall) joined[joined.length - 1] = join(previous, leaf);
    else joined.push(leaf);
  }
  return joined;
}

function join(a: Leaf, b: Leaf): Leaf {
  const joined = new BlockBuilder(sizeOf(a) + sizeOf(b));
  joined.append(a);
  joined.append(b);
  return wholeBlock(joined.finish());
}
