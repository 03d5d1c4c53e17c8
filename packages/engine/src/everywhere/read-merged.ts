import { type Order, type StationAddress, stationKey } from '@roster/contract';
import type { Selection } from '../index/lists/selection.ts';
import { resourceIdIn } from '../index/rows/row-id.ts';
import { bucketOf, displayNameOf, idOf, rowOf, segmentOf } from '../index/rows/segment.ts';
import { compareStates } from '../index/search/search.ts';
import { nameAt } from '../index/search/text-matches.ts';
import type { Snapshot } from '../index/snapshot.ts';
import type { TimeSlicer } from '../scheduling/time-slicer.ts';
import type { SearchedSnapshot } from './searched-snapshot.ts';

/** Where a resource was found. */
export interface FoundRow {
  readonly snapshot: Snapshot;
  readonly slot: number;
  readonly station: StationAddress;
}

/** What was found in one snapshot, in order. */
export interface FoundIn {
  readonly searched: SearchedSnapshot;
  readonly selection: Selection;
}

export interface MergedPage {
  readonly order: Order;
  readonly offset: number;
  readonly size: number;
}

/** A page of what was found in several snapshots, as if they were one. */
export async function readMerged(
  found: readonly FoundIn[],
  { order, offset, size }: MergedPage,
  slicer: TimeSlicer,
): Promise<FoundRow[]> {
  const cursors = found.filter(({ selection }) => selection.total > 0).map((each) => new Cursor(each, order));
  const rows: FoundRow[] = [];
  if (cursors.length === 1) cursors[0]!.skip(offset);
  for (let at = cursors.length === 1 ? offset : 0; at < offset + size; at++) {
    const next = firstOf(cursors, order);
    if (next === undefined) break;
    if (at >= offset) rows.push(next.row);
    next.skip(1);
    if (slicer.isDue) await slicer.pause();
  }
  return rows;
}

function firstOf(cursors: readonly Cursor[], order: Order): Cursor | undefined {
  let first: Cursor | undefined;
  for (const cursor of cursors) {
    if (cursor.isAtEnd) continue;
    if (first === undefined || compareCursors(cursor, first, order) < 0) first = cursor;
  }
  return first;
}

const slotsAtOnce = 256;

class Cursor {
  readonly #found: FoundIn;
  readonly #order: Order;
  readonly #slots = new Uint32Array(slotsAtOnce);
  /** Of the first slot read. */
  #from = 0;
  #read = 0;
  #at = 0;
  #rank: string | number | undefined;

  constructor(found: FoundIn, order: Order) {
    this.#found = found;
    this.#order = order;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#found.selection.total;
  }

  get row(): FoundRow {
    const { searched } = this.#found;
    const slot = this.#slot();
    return { snapshot: searched.snapshot, slot, station: searched.stationOf(slot) };
  }

  /** What it is ordered by first. */
  get rank(): string | number {
    this.#rank ??= rankOf(this.#found.searched.snapshot, this.#slot(), this.#order);
    return this.#rank;
  }

  skip(count: number): void {
    this.#at += count;
    this.#rank = undefined;
  }

  #slot(): number {
    const isRead = this.#at >= this.#from && this.#at < this.#from + this.#read;
    if (!isRead) {
      this.#from = this.#at;
      this.#read = this.#found.selection.read(this.#at, slotsAtOnce, this.#slots);
    }
    return this.#slots[this.#at - this.#from]!;
  }
}

function rankOf(snapshot: Snapshot, slot: number, { field }: Order): string | number {
  const { segments, buckets } = snapshot;
  const segment = segmentOf(segments, slot);
  const row = rowOf(slot);
  switch (field) {
    case 'display_name':
      return displayNameOf(segments, slot);
    case 'name':
      return nameAt(segment, row);
    case 'state':
      return buckets.at(bucketOf(segments, slot)).state;
    case 'resource_type':
      return buckets.at(bucketOf(segments, slot)).typeKey;
    case 'state_since':
      return segment.stateSinceMs[row]!;
    case 'create_time':
      return segment.createdMs[row]!;
    case 'alert_rules_count':
      return segment.ruleCounts[row]!;
  }
}

/** Ties are ordered by display name, id and station; with descending display names, all of them descend. */
function compareCursors(a: Cursor, b: Cursor, { field, isDescending }: Order): number {
  const sign = isDescending ? -1 : 1;
  const byRank = field === 'state' ? compareStates(String(a.rank), String(b.rank)) : compare(a.rank, b.rank);
  const tieSign = field === 'display_name' ? sign : 1;
  return sign * byRank || tieSign * compareInList(a.row, b.row);
}

function compareInList(a: FoundRow, b: FoundRow): number {
  return (
    compare(displayNameOf(a.snapshot.segments, a.slot), displayNameOf(b.snapshot.segments, b.slot)) ||
    compare(idIn(a), idIn(b)) ||
    compare(stationKey(a.station), stationKey(b.station))
  );
}

function idIn({ snapshot, slot }: FoundRow): string {
  return resourceIdIn(idOf(snapshot.segments, slot));
}

function compare<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
