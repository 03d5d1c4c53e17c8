import type { OrderedList } from './ordered-list.ts';
import { displayNameOf, type Segment } from './segment.ts';

/** The resources whose display names begin with a prefix: their ranks in the list of all, and their labels. */
export interface PrefixRange {
  readonly from: number;
  readonly to: number;
  readonly firstLabel: number;
  /** Above the last label, and not above the one behind it. */
  readonly endLabel: number;
}

const maxRanges = 4096;
const maxRememberedPrefix = 128;

/** Finds prefixes in the list of all resources. Whoever pages through one asks for it again and again. */
export class PrefixRanges {
  readonly #all: OrderedList;
  readonly #segments: readonly Segment[];
  readonly #ranges = new Map<string, PrefixRange>();

  constructor(all: OrderedList, segments: readonly Segment[]) {
    this.#all = all;
    this.#segments = segments;
  }

  rangeOf(prefix: string): PrefixRange {
    const known = this.#ranges.get(prefix);
    if (known !== undefined) return known;
    const range = this.#find(prefix);
    if (prefix.length > maxRememberedPrefix) return range;
    if (this.#ranges.size >= maxRanges) this.#ranges.clear();
    this.#ranges.set(prefix, range);
    return range;
  }

  #find(prefix: string): PrefixRange {
    const end = endOfPrefix(prefix);
    const from = this.#rankOf(prefix);
    const to = end === undefined ? this.#all.size : this.#rankOf(end);
    return { from, to, firstLabel: this.#labelFrom(from), endLabel: this.#labelFrom(to) };
  }

  #rankOf(displayName: string): number {
    return this.#all.rankWhere((slot) => displayNameOf(this.#segments, slot) < displayName);
  }

  #labelFrom(rank: number): number {
    return rank === this.#all.size ? Number.POSITIVE_INFINITY : this.#all.labelAt(rank);
  }
}

/** The least string that sorts behind everything that begins with `prefix`; undefined when there is none. */
function endOfPrefix(prefix: string): string | undefined {
  let length = prefix.length;
  while (length > 0 && prefix.charCodeAt(length - 1) === 0xffff) length--;
  if (length === 0) return undefined;
  // Joining makes one flat string, which compares faster than a concatenation.
  return [prefix.slice(0, length - 1), String.fromCharCode(prefix.charCodeAt(length - 1) + 1)].join('');
}
