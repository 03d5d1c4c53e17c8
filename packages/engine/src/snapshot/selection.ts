import type { OrderedList } from './ordered-list.ts';

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

  constructor(ranges: readonly ListRange[]) {
    this.#ranges = ranges;
    let total = 0;
    for (const range of ranges) total += range.to - range.from;
    this.total = total;
  }

  read(offset: number, count: number, target: Uint32Array): number {
    const found = Math.max(0, Math.min(count, this.total - offset));
    if (found > 0) this.#merge(this.#splitAt(offset), found, target);
    return found;
  }

  /**
   * For each range the position where the merged list's `offset` falls. Cuts all windows at the label of
   * an entry of the widest one, again and again, until the sought position is left. Where the entry is
   * guessed from the share that is still wanted, a handful of cuts is enough; halving bounds the rest.
   */
  #splitAt(offset: number): number[] {
    const ranges = this.#ranges;
    const low = ranges.map((range) => range.from);
    const high = ranges.map((range) => range.to);
    const cuts = new Array<number>(ranges.length).fill(0);
    let wanted = offset;
    let remaining = this.total;
    for (let step = 0; wanted > 0; step++) {
      const pivot = widest(low, high);
      const width = high[pivot]! - low[pivot]!;
      const share = step < maxGuesses ? wanted / remaining : 0.5;
      const middle = low[pivot]! + Math.min(width - 1, Math.floor(width * share));
      const label = ranges[pivot]!.list.labelAt(middle);
      let below = 0;
      for (let at = 0; at < ranges.length; at++) {
        if (at === pivot) cuts[at] = middle;
        else if (low[at] === high[at]) cuts[at] = low[at]!;
        else cuts[at] = clamp(ranges[at]!.list.rankOf(label), low[at]!, high[at]!);
        below += cuts[at]! - low[at]!;
      }
      const isBefore = below < wanted;
      const bound = isBefore ? low : high;
      for (let at = 0; at < ranges.length; at++) bound[at] = cuts[at]!;
      if (isBefore) {
        // The pivot itself comes before the sought position too, which is what makes the window shrink.
        low[pivot] = middle + 1;
        wanted -= below + 1;
        remaining -= below + 1;
      } else remaining = below;
    }
    return low;
  }

  #merge(positions: readonly number[], count: number, target: Uint32Array): void {
    const cursors = this.#ranges.map(({ list, to }, at) => list.cursor(positions[at]!, to));
    const labels = new Float64Array(cursors.length);
    for (let at = 0; at < cursors.length; at++) labels[at] = cursors[at]!.next();
    for (let filled = 0; filled < count; filled++) {
      let least = 0;
      for (let at = 1; at < labels.length; at++) if (labels[at]! < labels[least]!) least = at;
      target[filled] = cursors[least]!.slot;
      labels[least] = cursors[least]!.next();
    }
  }
}

const maxGuesses = 12;

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
