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
import { bucketOf, displayNameOf, orderKeyOf, rowOf, type Segment, segmentOf } from './rows/segment.ts';
import type { Versions } from './rows/versions.ts';
import { type Summary, SummaryBuilder } from './summary.ts';

export interface SnapshotParts {
  readonly head: Head;
  readonly segments: readonly Segment[];
  /** The number of the segment that takes the next rows, the last one by default. */
  readonly openSegment?: number;
  readonly buckets: Buckets;
  readonly attributes: AttributeSets;
  /** By list number; missing lists are empty. */
  readonly lists: readonly OrderedList[];
  readonly ids: IdIndex;
  readonly versions: Versions;
  /** How many resources differ from the previous snapshot; infinite when nothing is shared. */
  readonly changedRows: number;
  /** What changed since snapshots that share segments with it; a new one when nothing is shared. */
  readonly log?: ChangeLog;
  /** Its position in the log, at the end by default. */
  readonly logPosition?: number;
}

/** The cost of a version that joins or leaves: a leaf of a list and the directories above it. */
const bytesPerChange = 4 * 1024;

/** The measured size of a small list. */
const bytesPerList = 2 * 1024;

const nothing = new SlotSelection([]);

/** One station at one revision, immutable. The cost of a query does not depend on the station's size. */
export class Snapshot {
  readonly head: Head;
  readonly segments: readonly Segment[];
  readonly openSegment: number;
  readonly buckets: Buckets;
  readonly attributes: AttributeSets;
  readonly lists: readonly OrderedList[];
  readonly ids: IdIndex;
  readonly versions: Versions;
  /** How many resources differ from the previous snapshot; infinite when nothing is shared. */
  readonly changedRows: number;
  readonly log: ChangeLog;
  readonly logPosition: number;
  #prefixes: PrefixRanges | undefined;
  #estimatedBytes: number | undefined;

  constructor(parts: SnapshotParts) {
    this.head = parts.head;
    this.segments = parts.segments;
    this.openSegment = parts.openSegment ?? parts.segments.length - 1;
    this.buckets = parts.buckets;
    this.attributes = parts.attributes;
    this.lists = parts.lists;
    this.ids = parts.ids;
    this.versions = parts.versions;
    this.changedRows = parts.changedRows;
    this.log = parts.log ?? new ChangeLog();
    this.logPosition = parts.logPosition ?? this.log.position;
  }

  /** Its memory, including what it shares with other snapshots. */
  get estimatedBytes(): number {
    this.#estimatedBytes ??= estimateBytes(this);
    return this.#estimatedBytes;
  }

  /** Its memory that a later snapshot does not share. */
  bytesBeside(later: Snapshot): number {
    if (this.log !== later.log) return this.estimatedBytes;
    return Math.min(
      this.estimatedBytes,
      this.log.countBetween(this.logPosition, later.logPosition) * bytesPerChange,
    );
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
    this.#prefixes ??= new PrefixRanges(this.list(allResources), this.segments);
    return this.#prefixes.rangeOf(prefix);
  }

  /** The slot of the resource, or -1. */
  find(id: string): number {
    const place = this.ids.find(id, this.segments);
    return place === -1 ? -1 : this.versions.at(place);
  }

  /** All slots in list order, some at a time. */
  *slots(): Generator<Uint32Array> {
    for (const leaf of this.list(allResources).leaves()) {
      const slots = leaf.slice();
      this.versions.resolve(slots, slots.length);
      yield slots;
    }
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
    const range = prefix === undefined ? undefined : this.prefixRange(prefix);
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
    if (lists.length === 1) return this.#rangeOf({ list: lists[0]!, from: 0, to: lists[0]!.size });
    return new MergedSelection(
      lists.map((list) => ({ list, from: 0, to: list.size })),
      this.versions,
    );
  }

  #selectPrefix(lists: readonly OrderedList[], prefix: string): Selection {
    const prefixed = this.prefixRange(prefix);
    if (lists.length === 1) return this.#rangeOf(prefixed.within(lists[0]!));
    const ranges: ListRange[] = [];
    for (const list of lists) {
      const range = prefixed.within(list);
      if (range.from < range.to) ranges.push(range);
    }
    if (ranges.length === 0) return nothing;
    return ranges.length === 1 ? this.#rangeOf(ranges[0]!) : new MergedSelection(ranges, this.versions);
  }

  #rangeOf(range: ListRange): Selection {
    return range.from === range.to ? nothing : new RangeSelection(range, this.versions);
  }

  /** The matching slots of these ids, in list order. */
  #findIds(ids: readonly string[], query: ListQuery): number[] {
    const { segments } = this;
    const isWanted = bucketFilter(query);
    const prefix = query.displayNamePrefix;
    const slots: number[] = [];
    const keys: number[] = [];
    for (const id of ids) {
      const slot = this.find(id);
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

function estimateBytes({ segments, attributes, lists, ids }: Snapshot): number {
  let bytes = ids.size * 64 + attributes.bytes;
  for (const { byteLength, rowCount } of segments) bytes += byteLength + rowCount * 110;
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
