import type { OrderedList } from './ordered-list.ts';
import { labelOf, type Segment } from './segment.ts';

/** The resources that match a query, in list order, without having been enumerated. */
export interface Selection {
  readonly total: number;
  /** Puts the slots from `offset` on, at most `count`, into `target` and returns how many there were. */
  read(offset: number, count: number, target: Uint32Array): number;
}

export class EmptySelection implements Selection {
  readonly total = 0;

  read(): number {
    return 0;
  }
}

/** A contiguous part of one list. */
export class RangeSelection implements Selection {
  readonly total: number;
  readonly #list: OrderedList;
  readonly #from: number;

  constructor(list: OrderedList, from: number, to: number) {
    this.#list = list;
    this.#from = from;
    this.total = to - from;
  }

  read(offset: number, count: number, target: Uint32Array): number {
    const found = Math.max(0, Math.min(count, this.total - offset));
    this.#list.copy(this.#from + offset, found, target);
    return found;
  }
}

/** Resources found one by one, already in list order. */
export class SlotSelection implements Selection {
  readonly total: number;
  readonly #slots: Uint32Array;

  constructor(slots: Uint32Array) {
    this.#slots = slots;
    this.total = slots.length;
  }

  read(offset: number, count: number, target: Uint32Array): number {
    const found = Math.max(0, Math.min(count, this.total - offset));
    for (let position = 0; position < found; position++) target[position] = this.#slots[offset + position]!;
    return found;
  }
}

export interface ListRange {
  readonly list: OrderedList;
  readonly from: number;
  readonly to: number;
}

/** Disjoint lists read as if they were one. */
export class MergedSelection implements Selection {
  readonly total: number;
  readonly #ranges: readonly ListRange[];
  readonly #segments: readonly Segment[];

  constructor(ranges: readonly ListRange[], segments: readonly Segment[]) {
    this.#ranges = ranges;
    this.#segments = segments;
    this.total = ranges.reduce((sum, range) => sum + range.to - range.from, 0);
  }

  read(offset: number, count: number, target: Uint32Array): number {
    const found = Math.max(0, Math.min(count, this.total - offset));
    if (found > 0) this.#merge(this.#splitAt(offset), found, target);
    return found;
  }

  /**
   * For each range the position where the merged list's `offset` falls. Halves the widest window around
   * the sought label until all windows are closed, so the cost is logarithmic in the length of the lists.
   */
  #splitAt(offset: number): number[] {
    const low = this.#ranges.map((range) => range.from);
    const high = this.#ranges.map((range) => range.to);
    let wanted = offset;
    while (wanted > 0) {
      const pivot = widest(low, high);
      const middle = (low[pivot]! + high[pivot]!) >>> 1;
      const label = labelOf(this.#segments, this.#ranges[pivot]!.list.slotAt(middle));
      const cuts = this.#ranges.map((range, at) =>
        at === pivot ? middle : clamp(range.list.rankOf(label, this.#segments), low[at]!, high[at]!),
      );
      const below = cuts.reduce((sum, cut, at) => sum + cut - low[at]!, 0);
      if (below < wanted) {
        // The pivot itself sorts before the sought position too, which is what makes the window shrink.
        for (let at = 0; at < cuts.length; at++) low[at] = cuts[at]!;
        low[pivot] = middle + 1;
        wanted -= below + 1;
      } else for (let at = 0; at < cuts.length; at++) high[at] = cuts[at]!;
    }
    return low;
  }

  #merge(positions: number[], count: number, target: Uint32Array): void {
    const cursors = this.#ranges
      .map((range, at) => new Cursor(range, positions[at]!, count, this.#segments))
      .filter((cursor) => cursor.label !== Number.POSITIVE_INFINITY);
    for (let filled = 0; filled < count; filled++) {
      let least = cursors[0]!;
      for (let at = 1; at < cursors.length; at++) {
        if (cursors[at]!.label < least.label) least = cursors[at]!;
      }
      target[filled] = least.slot;
      least.advance();
    }
  }
}

/** Walks one range forward, a block of slots at a time. */
class Cursor {
  slot = 0;
  /** The label of `slot`, or infinity behind the end. */
  label = Number.POSITIVE_INFINITY;
  readonly #list: OrderedList;
  readonly #to: number;
  readonly #segments: readonly Segment[];
  readonly #block: Uint32Array;
  #rank: number;
  #inBlock = 0;
  #blockSize = 0;

  constructor(range: ListRange, rank: number, wanted: number, segments: readonly Segment[]) {
    this.#list = range.list;
    this.#to = range.to;
    this.#segments = segments;
    this.#rank = rank;
    this.#block = new Uint32Array(Math.min(wanted, 64));
    this.advance();
  }

  advance(): void {
    if (this.#inBlock === this.#blockSize) {
      this.#blockSize = Math.min(this.#block.length, this.#to - this.#rank);
      this.#list.copy(this.#rank, this.#blockSize, this.#block);
      this.#rank += this.#blockSize;
      this.#inBlock = 0;
    }
    if (this.#blockSize === 0) {
      this.label = Number.POSITIVE_INFINITY;
      return;
    }
    this.slot = this.#block[this.#inBlock++]!;
    this.label = labelOf(this.#segments, this.slot);
  }
}

function widest(low: readonly number[], high: readonly number[]): number {
  let best = 0;
  for (let at = 1; at < low.length; at++) {
    if (high[at]! - low[at]! > high[best]! - low[best]!) best = at;
  }
  return best;
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(value, high));
}
