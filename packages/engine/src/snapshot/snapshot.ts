import type { ListQuery } from '@roster/contract';
import type { Head } from '../store.ts';
import { allResources, type Buckets } from './buckets.ts';
import type { IdIndex } from './id-index.ts';
import { OrderedList } from './ordered-list.ts';
import { bucketOf, displayNameOf, labelOf, rowOf, type Segment, segmentOf } from './segment.ts';
import {
  EmptySelection,
  type ListRange,
  MergedSelection,
  RangeSelection,
  type Selection,
  SlotSelection,
} from './selection.ts';

export interface SnapshotParts {
  readonly head: Head;
  readonly segments: readonly Segment[];
  readonly buckets: Buckets;
  /** By list number; missing lists are empty. */
  readonly lists: readonly OrderedList[];
  readonly ids: IdIndex;
  /** How many entries of lists differ from the snapshot before; undefined when nothing is shared with it. */
  readonly changedEntries: number | undefined;
}

/** What it takes to change one entry of a list: a leaf and the directories above it. */
const bytesPerChangedEntry = 8 * 1024;

interface Range {
  readonly from: number;
  readonly to: number;
}

const maxPrefixRanges = 4096;
const maxRememberedPrefix = 128;
const nothing = new EmptySelection();

/** One station at one revision, for ever. What a query costs does not depend on how large the station is. */
export class Snapshot {
  readonly head: Head;
  readonly segments: readonly Segment[];
  readonly buckets: Buckets;
  readonly lists: readonly OrderedList[];
  readonly ids: IdIndex;
  /** What it holds in memory, counting what it shares with other snapshots. */
  readonly estimatedBytes: number;
  /** What it holds in memory that the snapshot before it does not, and the other way round. */
  readonly ownBytes: number;
  readonly #prefixRanges = new Map<string, Range>();

  constructor(parts: SnapshotParts) {
    this.head = parts.head;
    this.segments = parts.segments;
    this.buckets = parts.buckets;
    this.lists = parts.lists;
    this.ids = parts.ids;
    this.estimatedBytes = estimateBytes(parts);
    const changedBytes = (parts.changedEntries ?? Number.POSITIVE_INFINITY) * bytesPerChangedEntry;
    this.ownBytes = Math.min(this.estimatedBytes, changedBytes);
  }

  get size(): number {
    return this.ids.size;
  }

  select(query: ListQuery): Selection {
    if (query.resourceIds !== undefined) return this.#selectIds(query.resourceIds, query);
    const lists = this.#listsFor(query);
    if (lists.length === 0) return nothing;
    if (query.displayNamePrefix === undefined) {
      if (lists.length === 1) return new RangeSelection(lists[0]!, 0, lists[0]!.size);
      return new MergedSelection(lists.map((list) => ({ list, from: 0, to: list.size })));
    }
    return this.#selectPrefix(lists, query.displayNamePrefix);
  }

  list(number: number | undefined): OrderedList {
    return number === undefined ? OrderedList.empty : (this.lists[number] ?? OrderedList.empty);
  }

  #listsFor(query: ListQuery): OrderedList[] {
    const { types, product, alertableOnly } = query;
    const lists: OrderedList[] = [];
    for (const type of types ?? [undefined]) {
      const list = this.list(this.buckets.findList(type, product, alertableOnly));
      if (list.size > 0 && !lists.includes(list)) lists.push(list);
    }
    return lists;
  }

  #selectPrefix(lists: readonly OrderedList[], prefix: string): Selection {
    const all = this.list(allResources);
    const range = this.#prefixRange(all, prefix);
    if (range.from === range.to) return nothing;
    if (lists.length === 1 && lists[0] === all) return new RangeSelection(all, range.from, range.to);
    const first = all.labelAt(range.from);
    const end = range.to === all.size ? Number.POSITIVE_INFINITY : all.labelAt(range.to);
    const ranges: ListRange[] = [];
    for (const list of lists) {
      const from = list.rankOf(first);
      const to = list.rankOf(end);
      if (from < to) ranges.push({ list, from, to });
    }
    if (ranges.length === 0) return nothing;
    if (ranges.length === 1) return new RangeSelection(ranges[0]!.list, ranges[0]!.from, ranges[0]!.to);
    return new MergedSelection(ranges);
  }

  /** Whoever pages through a prefix asks for the same one again and again. */
  #prefixRange(list: OrderedList, prefix: string): Range {
    const known = this.#prefixRanges.get(prefix);
    if (known !== undefined) return known;
    const range = this.#findPrefix(list, prefix);
    if (prefix.length > maxRememberedPrefix) return range;
    if (this.#prefixRanges.size >= maxPrefixRanges) this.#prefixRanges.clear();
    this.#prefixRanges.set(prefix, range);
    return range;
  }

  #findPrefix(list: OrderedList, prefix: string): Range {
    const { segments } = this;
    const from = list.rankWhere((slot) => displayNameOf(segments, slot) < prefix);
    const end = endOfPrefix(prefix);
    const to = end === undefined ? list.size : list.rankWhere((slot) => displayNameOf(segments, slot) < end);
    return { from, to };
  }

  #selectIds(ids: readonly string[], query: ListQuery): Selection {
    const { segments } = this;
    const slots: number[] = [];
    const labels: number[] = [];
    for (const id of ids) {
      const slot = this.ids.find(id, segments);
      if (slot === -1 || !this.#matches(slot, query)) continue;
      const label = labelOf(segments, slot);
      let at = labels.length;
      while (at > 0 && labels[at - 1]! > label) at--;
      if (at > 0 && labels[at - 1] === label) continue;
      labels.push(label);
      slots.push(slot);
      for (let from = labels.length - 1; from > at; from--) {
        labels[from] = labels[from - 1]!;
        slots[from] = slots[from - 1]!;
      }
      labels[at] = label;
      slots[at] = slot;
    }
    return new SlotSelection(slots);
  }

  #matches(slot: number, query: ListQuery): boolean {
    const { types, product, displayNamePrefix, alertableOnly } = query;
    const bucket = this.buckets.at(bucketOf(this.segments, slot));
    return (
      (types === undefined || types.includes(bucket.typeKey)) &&
      (product === undefined || bucket.product === product) &&
      (!alertableOnly || bucket.alertable) &&
      (displayNamePrefix === undefined || displayNameOf(this.segments, slot).startsWith(displayNamePrefix))
    );
  }

  /** The part of a slot's rendered JSON that does not depend on the language. */
  tailOf(slot: number): string {
    const segment = segmentOf(this.segments, slot);
    const row = rowOf(slot);
    return segment.bytes.toString('utf8', segment.tails[row], segment.starts[row + 1]);
  }
}

function estimateBytes({ segments, lists, ids }: SnapshotParts): number {
  let bytes = ids.size * 64;
  for (const segment of segments) bytes += segment.bytes.length + segment.rowCount * 130;
  for (const list of lists) bytes += list.size * 16;
  return bytes;
}

/** The least string that sorts behind everything that begins with `prefix`; undefined when there is none. */
function endOfPrefix(prefix: string): string | undefined {
  let length = prefix.length;
  while (length > 0 && prefix.charCodeAt(length - 1) === 0xffff) length--;
  if (length === 0) return undefined;
  // Joining makes one flat string, which compares faster than a concatenation.
  return [prefix.slice(0, length - 1), String.fromCharCode(prefix.charCodeAt(length - 1) + 1)].join('');
}
