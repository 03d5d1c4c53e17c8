import { displayNameOf, type Segment } from '../rows/segment.ts';
import type { OrderedList } from './ordered-list.ts';
import type { ListRange } from './selection.ts';

/** The resources whose display names begin with a prefix: their keys, and their ranges in lists. */
export class PrefixRange {
  readonly firstKey: number;
  /** The key behind the last one. */
  readonly endKey: number;
  readonly #known: ListRange[];

  constructor(inAll: ListRange) {
    this.firstKey = keyFrom(inAll.list, inAll.from);
    this.endKey = keyFrom(inAll.list, inAll.to);
    this.#known = [inAll];
  }

  within(list: OrderedList): ListRange {
    for (const range of this.#known) if (range.list === list) return range;
    const range = { list, from: list.rankOf(this.firstKey), to: list.rankOf(this.endKey) };
    if (this.#known.length < maxLists) this.#known.push(range);
    return range;
  }
}

function keyFrom(list: OrderedList, rank: number): number {
  return rank === list.size ? Number.POSITIVE_INFINITY : list.keyAt(rank);
}

const maxRanges = 4096;
const maxRememberedPrefix = 128;
const maxLists = 8;

/**
 * Finds prefixes in the list of all resources and caches them: clients page through one prefix repeatedly.
 */
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

/** The least string that sorts after everything that begins with `prefix`; undefined when there is none. */
function endOfPrefix(prefix: string): string | undefined {
  let length = prefix.length;
  while (length > 0 && prefix.charCodeAt(length - 1) === 0xffff) length--;
  if (length === 0) return undefined;
  // A joined string is flat and compares faster than a concatenation.
  return [prefix.slice(0, length - 1), String.fromCharCode(prefix.charCodeAt(length - 1) + 1)].join('');
}
