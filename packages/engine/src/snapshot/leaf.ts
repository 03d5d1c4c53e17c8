import { labelOf, type Segment } from './segment.ts';

const maxLeaf = 512;

/** Neighbouring entries of a list: their slots and, beside them, their labels. Never empty. */
export interface Leaf {
  readonly slots: Uint32Array;
  readonly labels: Float64Array;
}

export function leafOf(slots: ArrayLike<number>, segments: readonly Segment[]): Leaf {
  const labels = new Float64Array(slots.length);
  for (let at = 0; at < slots.length; at++) labels[at] = labelOf(segments, slots[at]!);
  return { slots: new Uint32Array(slots), labels };
}

/** A leaf of known size that is filled from its start. */
export class LeafBuilder {
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

  /** Appends the entries of `leaf` from `from` up to `to`. */
  copy(leaf: Leaf, from: number, to: number): void {
    this.#slots.set(leaf.slots.subarray(from, to), this.#filled);
    this.#labels.set(leaf.labels.subarray(from, to), this.#filled);
    this.#filled += to - from;
  }

  finish(): Leaf {
    return { slots: this.#slots, labels: this.#labels };
  }
}

/** The same entries in leaves of bearable size with some room to grow. */
export function splitLeaf(leaf: Leaf): Leaf[] {
  const { length } = leaf.slots;
  if (length === 0) return [];
  if (length <= maxLeaf) return [leaf];
  const leaves: Leaf[] = [];
  const pieces = Math.ceil(length / (maxLeaf * 0.75));
  for (let piece = 0; piece < pieces; piece++) {
    const from = Math.floor((length * piece) / pieces);
    const to = Math.floor((length * (piece + 1)) / pieces);
    leaves.push({ slots: leaf.slots.slice(from, to), labels: leaf.labels.slice(from, to) });
  }
  return leaves;
}

export function joinSmallLeaves(leaves: readonly Leaf[]): Leaf[] {
  const joined: Leaf[] = [];
  for (const leaf of leaves) {
    const previous = joined.at(-1);
    const isSmall = previous !== undefined && previous.slots.length + leaf.slots.length <= maxLeaf >> 1;
    if (isSmall) joined[joined.length - 1] = join(previous, leaf);
    else joined.push(leaf);
  }
  return joined;
}

function join(a: Leaf, b: Leaf): Leaf {
  const joined = new LeafBuilder(a.slots.length + b.slots.length);
  joined.copy(a, 0, a.slots.length);
  joined.copy(b, 0, b.slots.length);
  return joined.finish();
}
