import type { TimeSlicer } from '../../scheduling/time-slicer.ts';
import { OrderedList } from '../lists/ordered-list.ts';
import type { Buckets } from '../rows/buckets.ts';
import { sortByOrderKey } from '../rows/list-order.ts';
import { bucketOf, placeOf, type Segment } from '../rows/segment.ts';
import type { Snapshot } from '../snapshot.ts';

const slotsBetweenChecks = 256;

/** Versions that leave and join a snapshot, with all order keys. */
interface AppliedChanges {
  readonly segments: readonly Segment[];
  readonly removed: Iterable<number>;
  /** In list order. */
  readonly added: Uint32Array;
}

/** The lists of a snapshot with changes applied. Lists in which nothing changes are shared. */
export async function applyToLists(
  base: Snapshot,
  { segments, removed, added }: AppliedChanges,
  slicer: TimeSlicer,
): Promise<OrderedList[]> {
  const inListOrder = await sortByOrderKey(Uint32Array.from(removed), segments, slicer);
  const split = new ListSplitter(segments, base.buckets, slicer);
  const leaving = await split.byList(inListOrder, await split.byPlace(added));
  const joining = await split.byList(added, await split.byPlace(inListOrder));
  const lists = base.lists.slice();
  while (lists.length < base.buckets.listCount) lists.push(OrderedList.empty);
  for (const number of new Set(leaving.keys()).union(joining)) {
    const ofList = { removed: leaving.get(number) ?? [], added: joining.get(number) ?? [], segments };
    lists[number] = await lists[number]!.apply(ofList, slicer);
  }
  return lists;
}

/** Sorts slots by the lists that they belong to. */
class ListSplitter {
  readonly #segments: readonly Segment[];
  readonly #buckets: Buckets;
  readonly #slicer: TimeSlicer;

  constructor(segments: readonly Segment[], buckets: Buckets, slicer: TimeSlicer) {
    this.#segments = segments;
    this.#buckets = buckets;
    this.#slicer = slicer;
  }

  async byPlace(slots: Uint32Array): Promise<Map<number, number>> {
    const slotAt = new Map<number, number>();
    for (const [at, slot] of slots.entries()) {
      slotAt.set(placeOf(this.#segments, slot), slot);
      if (at % slotsBetweenChecks === 0 && this.#slicer.isDue) await this.#slicer.pause();
    }
    return slotAt;
  }

  /** The places of these slots, except where the other version at a place is in the same list. */
  async byList(slots: Uint32Array, others: ReadonlyMap<number, number>): Promise<Map<number, number[]>> {
    const byList = new Map<number, number[]>();
    for (const [at, slot] of slots.entries()) {
      const place = placeOf(this.#segments, slot);
      const other = others.get(place);
      const lists = this.#listsOf(slot);
      const same = other === undefined ? noLists : this.#listsOf(other);
      if (lists !== same) addToLists(byList, place, lists, same);
      if (at % slotsBetweenChecks === 0 && this.#slicer.isDue) await this.#slicer.pause();
    }
    return byList;
  }

  #listsOf(slot: number): readonly number[] {
    return this.#buckets.at(bucketOf(this.#segments, slot)).lists;
  }
}

const noLists: readonly number[] = [];

function addToLists(
  byList: Map<number, number[]>,
  place: number,
  lists: readonly number[],
  except: readonly number[],
): void {
  for (const list of lists) {
    if (except.includes(list)) continue;
    const known = byList.get(list);
    if (known === undefined) byList.set(list, [place]);
    else known.push(place);
  }
}
