import type { ListQuery } from '@roster/contract';
import type { Head } from '../port/store.ts';
import { ChangeLog } from './lists/change-log.ts';
import { OrderedList } from './lists/ordered-list.ts';
import { type PrefixRange, PrefixRanges } from './lists/prefix-ranges.ts';
import {
  type ListRange,
  MergedSelection,
  RangeSelection,
  type Selection,
  SlotSelection,
} from './lists/selection.ts';
import type { AttributeSets } from './rows/attribute-sets.ts';
import { allResources, type Bucket, type Buckets } from './rows/buckets.ts';
import type { IdIndex } from './rows/id-index.ts';
import {
  bucketOf,
  displayNameOf,
  orderKeyOf,
  rowOf,
  rowsPerSegment,
  type Segment,
  segmentOf,
} from './rows/segment.ts';
import { type Summary, SummaryBuilder } from './summary.ts';

export interface SnapshotParts {
  readonly head: Head;
  readonly segments: readonly Segment[];
  readonly buckets: Buckets;
  readonly attributes: AttributeSets;
  /** By list number; missing lists are empty. */
  readonly lists: readonly OrderedList[];
  readonly ids: IdIndex;
  /** How many list entries differ from the previous snapshot; infinite when nothing is shared. */
  readonly changedEntries: number;
  /** What changed since snapshots that share segments with it; a new one when nothing is shared. */
  readonly log?: ChangeLog;
}

/** The cost of changing one list entry: a leaf and the directories above it. */
const bytesPerChangedEntry = 8 * 1024;

/** The measured size of a small list. */
const bytesPerList = 2 * 1024;

/** The size of the number columns, however many rows are used. */
const columnBytesPerSegment = rowsPerSegment * 48;

const nothing = new SlotSelection([]);

/** One station at one revision, immutable. The cost of a query does not depend on the station's size. */
export class Snapshot {
  readonly head: Head;
  readonly segments: readonly Segment[];
  readonly buckets: Buckets;
  readonly attributes: AttributeSets;
  readonly lists: readonly OrderedList[];
  readonly ids: IdIndex;
  /** Its memory, including what it shares with other snapshots. */
  readonly estimatedBytes: number;
  /** Its memory that the previous snapshot does not share, and vice versa. */
  readonly ownBytes: number;
  /** How many list entries differ from the previous snapshot; infinite when nothing is shared. */
  readonly changedEntries: number;
  readonly log: ChangeLog;
  readonly logPosition: number;
  readonly #prefixes: PrefixRanges;

  constructor(parts: SnapshotParts) {
    this.head = parts.head;
    this.segments = parts.segments;
    this.buckets = parts.buckets;
    this.attributes = parts.attributes;
    this.lists = parts.lists;
    this.ids = parts.ids;
    this.#prefixes = new PrefixRanges(this.list(allResources), parts.segments);
    this.estimatedBytes = estimateBytes(parts);
    this.changedEntries = parts.changedEntries;
    this.log = parts.log ?? new ChangeLog();
    this.logPosition = this.log.position;
    this.ownBytes = Math.min(this.estimatedBytes, parts.changedEntries * bytesPerChangedEntry);
  }

  get size(): number {
    return this.ids.size;
  }

  /** The resources of some buckets whose display names begin with a prefix, in list order. */
  selectFrom(buckets: Iterable<Bucket>, prefix: string | undefined): Selection {
    const lists: OrderedList[] = [];
    for (const { ownList } of buckets) if (this.list(ownList).size > 0) lists.push(this.list(ownList));
    return this.#selectFrom(lists, prefix);
  }

  prefixRange(prefix: string): PrefixRange {
    return this.#prefixes.rangeOf(prefix);
  }

  select(query: ListQuery): Selection {
    if (query.resourceIds !== undefined) return new SlotSelection(this.#findIds(query.resourceIds, query));
    return this.#selectFrom(this.#listsFor(query), query.displayNamePrefix);
  }

  /** Counts all matches. The cost depends on the number of buckets or of ids asked for. */
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
      const count = range === undefined ? list.size : list.rankOf(range.endKey) - list.rankOf(range.firstKey);
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

  #selectFrom(lists: readonly OrderedList[], prefix: string | undefined): Selection {
    if (lists.length === 0) return nothing;
    if (prefix !== undefined) return this.#selectPrefix(lists, prefix);
    if (lists.length === 1) return new RangeSelection(lists[0]!, 0, lists[0]!.size);
    return new MergedSelection(lists.map((list) => ({ list, from: 0, to: list.size })));
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

  /** The matching slots of these ids, in list order. */
  #findIds(ids: readonly string[], query: ListQuery): number[] {
    const { segments } = this;
    const isWanted = bucketFilter(query);
    const prefix = query.displayNamePrefix;
    const slots: number[] = [];
    const keys: number[] = [];
    for (const id of ids) {
      const slot = this.ids.find(id, segments);
      if (slot === -1) continue;
      if (isWanted !== undefined && !isWanted(this.buckets.at(bucketOf(segments, slot)))) continue;
      if (prefix !== undefined && !displayNameOf(segments, slot).startsWith(prefix)) continue;
      const key = orderKeyOf(segments, slot);
      let at = keys.length;
      while (at > 0 && keys[at - 1]! > key) at--;
      if (at > 0 && keys[at - 1] === key) continue;
      keys.push(key);
      slots.push(slot);
      for (let move = keys.length - 1; move > at; move--) {
        keys[move] = keys[move - 1]!;
        slots[move] = slots[move - 1]!;
      }
      keys[at] = key;
      slots[at] = slot;
    }
    return slots;
  }

  /** The part of a row's JSON that does not depend on the language. */
  tailOf(slot: number): string {
    const segment = segmentOf(this.segments, slot);
    const row = rowOf(slot);
    return segment.bytes.toString('utf8', segment.tails[row], segment.starts[row + 1]);
  }
}

function estimateBytes({ segments, attributes, lists, ids }: SnapshotParts): number {
  let bytes = ids.size * 64 + attributes.bytes;
  for (const { bytes: rendered, rowCount } of segments) {
    bytes += rendered.length + columnBytesPerSegment + rowCount * 110;
  }
  for (const list of lists) bytes += bytesPerList + list.size * 16;
  return bytes;
}

/** Whether the resources of a bucket match. Undefined when all do. */
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
