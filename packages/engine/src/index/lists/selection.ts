import type { Versions } from '../rows/versions.ts';
import type { OrderedList } from './ordered-list.ts';

/** The resources that match a query, in list order, not enumerated yet. */
export interface Selection {
  readonly total: number;
  /** Writes at most `count` slots from `offset` on into `target` and returns how many. */
  read(offset: number, count: number, target: Uint32Array): number;
}

/** A contiguous range of one list. */
export class RangeSelection implements Selection {
  readonly total: number;
  readonly #list: OrderedList;
  readonly #from: number;
  readonly #versions: Versions;

  constructor({ list, from, to }: ListRange, versions: Versions) {
    this.#list = list;
    this.#from = from;
    this.#versions = versions;
    this.total = to - from;
  }

  read(offset: number, count: number, target: Uint32Array): number {
    const found = Math.max(0, Math.min(count, this.total - offset));
    this.#list.copy(this.#from + offset, found, target);
    this.#versions.resolve(target, found);
    return found;
  }
}

/** Resources in the order in which they were found. */
export class SlotSelection implements Selection {
  readonly total: number;
  readonly #slots: ArrayLike<number>;

  constructor(slots: ArrayLike<number>) {
    this.#slots = slots;
    this.total = slots.length;
  }

  read(offset: number, count: number, target: Uint32Array): number {
    const found = Math.max(0, Math.min(count, this.total - offset));
    for (let position = 0; position < found; position++) target[position] = this.#slots[offset + position]!;
    return found;
  }
}

/** The other way round. */
export class ReversedSelection implements Selection {
  readonly total: number;
  readonly #selection: Selection;

  constructor(selection: Selection) {
    this.#selection = selection;
    this.total = selection.total;
  }

  read(offset: number, count: number, target: Uint32Array): number {
    const found = Math.max(0, Math.min(count, this.total - offset));
    this.#selection.read(this.total - offset - found, found, target);
    target.subarray(0, found).reverse();
    return found;
  }
}

/** One selection after another. */
export class ConcatenatedSelection implements Selection {
  readonly total: number;
  readonly #selections: readonly Selection[];

  constructor(selections: readonly Selection[]) {
    this.#selections = selections;
    this.total = selections.reduce((sum, { total }) => sum + total, 0);
  }

  read(offset: number, count: number, target: Uint32Array): number {
    let filled = 0;
    let skip = offset;
    for (const selection of this.#selections) {
      if (filled === count) break;
      if (skip < selection.total) {
        filled += selection.read(skip, count - filled, target.subarray(filled));
        skip = 0;
      } else skip -= selection.total;
    }
    return filled;
  }
}

export interface ListRange {
  readonly list: OrderedList;
  readonly from: number;
  readonly to: number;
}

/** Where to start merging: a position in each range, and how many entries to skip from there. */
interface MergeStart {
  readonly positions: readonly number[];
  readonly skip: number;
}

/** Skipping this many entries is faster than searching closer. */
const maxSkip = 64;

/** Disjoint lists read as one. */
export class MergedSelection implements Selection {
  readonly total: number;
  readonly #ranges: readonly ListRange[];
  readonly #versions: Versions;

  constructor(ranges: readonly ListRange[], versions: Versions) {
    this.#ranges = ranges;
    this.#versions = versions;
    let total = 0;
    for (const range of ranges) total += range.to - range.from;
    this.total = total;
  }

  read(offset: number, count: number, target: Uint32Array): number {
    const found = Math.max(0, Math.min(count, this.total - offset));
    if (found > 0) this.#merge(this.#seek(offset), found, target);
    this.#versions.resolve(target, found);
    return found;
  }

  /**
   * Searches for a key with slightly fewer than `offset` entries below it. Keys are spread evenly, so
   * interpolation converges fast; every third step bisects, which bounds it.
   */
  #seek(offset: number): MergeStart {
    let positions = this.#ranges.map((range) => range.from);
    if (offset <= maxSkip) return { positions, skip: offset };
    let { low, high } = this.#keyBounds();
    let below = 0;
    let above = this.total;
    let key = low + ((high - low) * (offset - maxSkip / 2)) / this.total;
    for (let step = 1; offset - below > maxSkip; step++) {
      const cuts = this.#cutAt(key);
      const count = this.#countBefore(cuts);
      if (count <= offset) {
        positions = cuts;
        below = count;
        low = key;
      } else {
        above = count;
        high = key;
      }
      const share = step % 3 === 0 ? 0.5 : (offset - maxSkip / 2 - below) / (above - below);
      key = low + (high - low) * share;
    }
    return { positions, skip: offset - below };
  }

  #keyBounds(): { low: number; high: number } {
    let low = Number.POSITIVE_INFINITY;
    let high = 0;
    for (const { list, from, to } of this.#ranges) {
      low = Math.min(low, list.keyAt(from));
      high = Math.max(high, list.keyAt(to - 1));
    }
    return { low, high };
  }

  #cutAt(key: number): number[] {
    return this.#ranges.map(({ list, from, to }) => Math.max(from, Math.min(list.rankOf(key), to)));
  }

  #countBefore(cuts: readonly number[]): number {
    let count = 0;
    for (let at = 0; at < cuts.length; at++) count += cuts[at]! - this.#ranges[at]!.from;
    return count;
  }

  #merge({ positions, skip }: MergeStart, count: number, target: Uint32Array): void {
    const cursors = this.#ranges.map(({ list, to }, at) => list.cursor(positions[at]!, to));
    const keys = new Float64Array(cursors.length);
    for (let at = 0; at < cursors.length; at++) keys[at] = cursors[at]!.next();
    for (let filled = -skip; filled < count; filled++) {
      let least = 0;
      for (let at = 1; at < keys.length; at++) if (keys[at]! < keys[least]!) least = at;
      if (filled >= 0) target[filled] = cursors[least]!.slot;
      keys[least] = cursors[least]!.next();
    }
  }
}
