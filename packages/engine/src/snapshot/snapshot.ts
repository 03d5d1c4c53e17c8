import type { ListQuery } from '@roster/contract';
import type { Head } from '../store.ts';
import { allResources, type Bucket, type Buckets } from './buckets.ts';
import type { IdIndex } from './id-index.ts';
import { OrderedList } from './ordered-list.ts';
import { PrefixRanges } from './prefix-ranges.ts';
import {
  bucketOf,
  displayNameOf,
  labelOf,
  rowOf,
  rowsPerSegment,
  type Segment,
  segmentOf,
} from './segment.ts';
import {
  EmptySelection,
  type ListRange,
  MergedSelection,
  RangeSelection,
  type Selection,
  SlotSelection,
} from './selection.ts';
import { type Summary, SummaryBuilder } from './summary.ts';

export interface SnapshotParts {
  readonly head: Head;
  readonly segments: readonly Segment[];
  readonly buckets: Buckets;
  /** By list number; missing lists are empty. */
  readonly lists: readonly OrderedList[];
  readonly ids: IdIndex;
  /** How many entries of lists differ from the snapshot before; infinite when nothing is shared with it. */
  readonly changedEntries: number;
}

/** What it takes to change one entry of a list: a leaf and the directories above it. */
const bytesPerChangedEntry = 8 * 1024;

/** What a list takes even when it holds little, as measured. */
const bytesPerList = 2 * 1024;

/** What the columns of numbers take, however many rows are used. */
const columnBytesPerSegment = rowsPerSegment * 20;

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
  /** How many entries of lists differ from the snapshot before it; infinite when it shares nothing with it. */
  readonly changedEntries: number;
  readonly #prefixes: PrefixRanges;

  constructor(parts: SnapshotParts) {
    this.head = parts.head;
    this.segments = parts.segments;
    this.buckets = parts.buckets;
    this.lists = parts.lists;
    this.ids = parts.ids;
    this.#prefixes = new PrefixRanges(this.list(allResources), parts.segments);
    this.estimatedBytes = estimateBytes(parts);
    this.changedEntries = parts.changedEntries;
    this.ownBytes = Math.min(this.estimatedBytes, parts.changedEntries * bytesPerChangedEntry);
  }

  get size(): number {
    return this.ids.size;
  }

  select(query: ListQuery): Selection {
    if (query.resourceIds !== undefined) return new SlotSelection(this.#findIds(query.resourceIds, query));
    const lists = this.#listsFor(query);
    if (lists.length === 0) return nothing;
    if (query.displayNamePrefix === undefined) {
      if (lists.length === 1) return new RangeSelection(lists[0]!, 0, lists[0]!.size);
      return new MergedSelection(lists.map((list) => ({ list, from: 0, to: list.size })));
    }
    return this.#selectPrefix(lists, query.displayNamePrefix);
  }

  /** Counts what matches, on all pages. What it costs depends on the number of buckets and of ids asked for. */
  summarise(query: ListQuery): Summary {
    const builder = new SummaryBuilder();
    if (query.resourceIds !== undefined) {
      for (const slot of this.#findIds(query.resourceIds, query)) {
        builder.add(this.buckets.at(bucketOf(this.segments, slot)), 1);
      }
      return builder.finish();
    }
    const isWanted = bucketFilter(query);
    const prefix = query.displayNamePrefix;
    const range = prefix === undefined ? undefined : this.#prefixes.rangeOf(prefix);
    for (const bucket of this.buckets.values()) {
      if (isWanted?.(bucket) === false) continue;
      const list = this.list(bucket.ownList);
      const count =
        range === undefined ? list.size : list.rankOf(range.endLabel) - list.rankOf(range.firstLabel);
      builder.add(bucket, count);
    }
    return builder.finish();
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
    const prefixed = this.#prefixes.rangeOf(prefix);
    if (lists.length === 1) {
      const { list, from, to } = prefixed.within(lists[0]!);
      return from === to ? nothing : new RangeSelection(list, from, to);
    }
    const ranges: ListRange[] = [];
    for (const list of lists) {
      const range = prefixed.within(list);
      if (range.from < range.to) ranges.push(range);
    }
    if (ranges.length === 0) return nothing;
    if (ranges.length === 1) return new RangeSelection(ranges[0]!.list, ranges[0]!.from, ranges[0]!.to);
    return new MergedSelection(ranges);
  }

  /** The slots of the resources with these ids that match, in list order. */
  #findIds(ids: readonly string[], query: ListQuery): number[] {
    const { segments } = this;
    const isWanted = bucketFilter(query);
    const prefix = query.displayNamePrefix;
    const found = this.ids.findAll(ids, segments);
    const foundLabels = found.map((slot) => labelOf(segments, slot));
    const slots: number[] = [];
    const labels: number[] = [];
    for (let from = 0; from < found.length; from++) {
      const slot = found[from]!;
      if (isWanted !== undefined && !isWanted(this.buckets.at(bucketOf(segments, slot)))) continue;
      if (prefix !== undefined && !displayNameOf(segments, slot).startsWith(prefix)) continue;
      const label = foundLabels[from]!;
      let at = labels.length;
      while (at > 0 && labels[at - 1]! > label) at--;
      if (at > 0 && labels[at - 1] === label) continue;
      labels.push(label);
      slots.push(slot);
      for (let move = labels.length - 1; move > at; move--) {
        labels[move] = labels[move - 1]!;
        slots[move] = slots[move - 1]!;
      }
      labels[at] = label;
      slots[at] = slot;
    }
    return slots;
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
  for (const { bytes: rendered, rowCount } of segments) {
    bytes += rendered.length + columnBytesPerSegment + rowCount * 110;
  }
  for (const list of lists) bytes += bytesPerList + list.size * 16;
  return bytes;
}

/** Whether the resources of a bucket match, as far as their bucket tells. Undefined when all do. */
function bucketFilter({
  types,
  product,
  alertableOnly,
}: ListQuery): ((bucket: Bucket) => boolean) | undefined {
  if (types === undefined && product === undefined && !alertableOnly) return undefined;
  const typeKeys = types === undefined ? undefined : new Set(types);
  return (bucket) =>
    (typeKeys === undefined || typeKeys.has(bucket.typeKey)) &&
    (product === undefined || bucket.product === product) &&
    (!alertableOnly || bucket.alertable);
}
