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
  readonly #slots: readonly number[];

  constructor(slots: readonly number[]) {
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

/** Where to begin to merge: a position in each range, and how many entries to pass over from there. */
interface MergeStart {
  readonly positions: readonly number[];
  readonly skip: number;
}

/** So many entries are passed over faster than the search could come closer. */
const maxSkip = 64;
const closeEnough = 4;
const maxGuesses = 16;

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
    if (found > 0) this.#merge(this.#seek(offset), found, target);
    return found;
  }

  /**
   * Looks for a label with a little less than `offset` entries below it, between one with too few and one
   * with too many. Labels are spread evenly, so interpolation needs few tries; every third one halves the
   * rest, which bounds them.
   */
  #seek(offset: number): MergeStart {
    let positions = this.#ranges.map((range) => range.from);
    if (offset <= maxSkip) return { positions, skip: offset };
    let { low, high } = this.#labelBounds();
    let label = this.#approximateLabel(offset - maxSkip / 2, low, high);
    let below = 0;
    let above = this.total;
    for (let step = 1; offset - below > maxSkip; step++) {
      const cuts = this.#cutAt(label);
      const count = this.#countBefore(cuts);
      if (count <= offset) {
        positions = cuts;
        below = count;
        low = label;
      } else {
        above = count;
        high = label;
      }
      const share = step % 3 === 0 ? 0.5 : (offset - maxSkip / 2 - below) / (above - below);
      label = low + (high - low) * share;
    }
    return { positions, skip: offset - below };
  }

  /** A first guess that touches none of the leaves, which are many and seldom at hand. */
  #approximateLabel(wanted: number, lowest: number, highest: number): number {
    let [low, high, below, above] = [lowest, highest, 0, this.total];
    let label = lowest;
    for (let step = 1; step <= maxGuesses; step++) {
      const share = step % 3 === 0 ? 0.5 : (wanted - below) / (above - below);
      label = low + (high - low) * share;
      let count = 0;
      for (const { list, from, to } of this.#ranges) {
        count += Math.max(from, Math.min(list.approximateRankOf(label), to)) - from;
      }
      if (Math.abs(count - wanted) < closeEnough) break;
      if (count < wanted) [low, below] = [label, count];
      else [high, above] = [label, count];
    }
    return label;
  }

  #labelBounds(): { low: number; high: number } {
    let low = Number.POSITIVE_INFINITY;
    let high = 0;
    for (const { list, from, to } of this.#ranges) {
      low = Math.min(low, list.labelAt(from));
      high = Math.max(high, list.labelAt(to - 1));
    }
    return { low, high };
  }

  #cutAt(label: number): number[] {
    return this.#ranges.map(({ list, from, to }) => Math.max(from, Math.min(list.rankOf(label), to)));
  }

  #countBefore(cuts: readonly number[]): number {
    let count = 0;
    for (let at = 0; at < cuts.length; at++) count += cuts[at]! - this.#ranges[at]!.from;
    return count;
  }

  #merge({ positions, skip }: MergeStart, count: number, target: Uint32Array): void {
    const cursors = this.#ranges.map(({ list, to }, at) => list.cursor(positions[at]!, to));
    const labels = new Float64Array(cursors.length);
    for (let at = 0; at < cursors.length; at++) labels[at] = cursors[at]!.next();
    for (let filled = -skip; filled < count; filled++) {
      let least = 0;
      for (let at = 1; at < labels.length; at++) if (labels[at]! < labels[least]!) least = at;
      if (filled >= 0) target[filled] = cursors[least]!.slot;
      labels[least] = cursors[least]!.next();
    }
  }
}
