import type { OrderedList } from './ordered-list.ts';
import { displayNameOf, type Segment } from './segment.ts';
import type { ListRange } from './selection.ts';

/** The resources whose display names begin with a prefix: their labels, and where they stand in lists. */
export class PrefixRange {
  readonly firstLabel: number;
  /** Above the last label, and not above the one behind it. */
  readonly endLabel: number;
  readonly #known: ListRange[];

  constructor(inAll: ListRange) {
    this.firstLabel = labelFrom(inAll.list, inAll.from);
    this.endLabel = labelFrom(inAll.list, inAll.to);
    this.#known = [inAll];
  }

  within(list: OrderedList): ListRange {
    for (const range of this.#known) if (range.list === list) return range;
    const range = { list, from: list.rankOf(this.firstLabel), to: list.rankOf(this.endLabel) };
    if (this.#known.length < maxLists) this.#known.push(range);
    return range;
  }
}

function labelFrom(list: OrderedList, rank: number): number {
  return rank === list.size ? Number.POSITIVE_INFINITY : list.labelAt(rank);
}

const maxRanges = 4096;
const maxRememberedPrefix = 128;
/** In so many lists a range is remembered. */
const maxLists = 8;

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
    return new PrefixRange({ list: this.#all, from, to });
  }

  #rankOf(displayName: string): number {
    return this.#all.rankWhere((slot) => displayNameOf(this.#segments, slot) < displayName);
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
