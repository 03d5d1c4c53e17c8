import type { Order, OrderField } from '@roster/contract';
import type { TimeSlicer } from '../../scheduling/time-slicer.ts';
import type { ChangeLog, SlotChanges } from '../lists/change-log.ts';
import { sortByOrderKey } from '../rows/list-order.ts';
import { orderKeyOf, rowOf, rowsPerSegment, segmentOf } from '../rows/segment.ts';
import { type Compare, sortInSlices } from '../rows/sort-in-slices.ts';
import type { Snapshot } from '../snapshot.ts';
import { nameAt } from './text-matches.ts';

/** The orders that resources have to be sorted for. The others follow from the lists of a snapshot. */
export type SortedField = Exclude<OrderField, 'display_name' | 'state' | 'resource_type'>;

interface Sorted {
  /** In the change log. */
  readonly position: number;
  readonly slots: Uint32Array;
}

const sortedOf = new WeakMap<ChangeLog, Map<string, Promise<Sorted>>>();

/** The memory of the orders that were asked for. */
export function sortedBytes({ log, size }: Snapshot): number {
  return (sortedOf.get(log)?.size ?? 0) * size * Uint32Array.BYTES_PER_ELEMENT;
}

/** All slots of a snapshot in an order, ties in list order. Kept, and brought up to later snapshots. */
export async function sortedSlots(
  snapshot: Snapshot,
  { field, isDescending }: SortedOrder,
  slicer: TimeSlicer,
): Promise<Uint32Array> {
  const kept = sortedOf.getOrInsertComputed(snapshot.log, () => new Map());
  const key = `${isDescending ? '-' : ''}${field}`;
  // Whoever sorted before may have left.
  const before = await kept.get(key)?.catch(() => undefined);
  if (before?.position === snapshot.logPosition) return before.slots;
  const order = { field, isDescending };
  const next = (async () => {
    const changes = await (before && snapshot.log.between(before.position, snapshot.logPosition, slicer));
    const slots =
      before === undefined || changes === undefined
        ? await sortAll(snapshot, order, slicer)
        : await advance(before.slots, changes, { snapshot, order, slicer });
    return { position: snapshot.logPosition, slots };
  })();
  const isNewer = before === undefined || before.position < snapshot.logPosition;
  if (isNewer) {
    kept.set(key, next);
    next.catch(() => kept.get(key) === next && kept.delete(key));
  }
  return (await next).slots;
}

export interface SortedOrder extends Order {
  readonly field: SortedField;
}

/** Compares slots by a field, then in list order. */
export function comparison(snapshot: Snapshot, field: SortedField, isDescending: boolean): Compare {
  const { segments } = snapshot;
  const sign = isDescending ? -1 : 1;
  const inListOrder: Compare = (a, b) => orderKeyOf(segments, a) - orderKeyOf(segments, b);
  if (field === 'name') {
    const nameOf = (slot: number) => nameAt(segmentOf(segments, slot), rowOf(slot));
    return (a, b) => {
      const [nameA, nameB] = [nameOf(a), nameOf(b)];
      return nameA === nameB ? inListOrder(a, b) : nameA < nameB ? -sign : sign;
    };
  }
  const readValue = valueReader(snapshot, field);
  return (a, b) => sign * (readValue(a) - readValue(b)) || inListOrder(a, b);
}

function valueReader({ segments }: Snapshot, field: Exclude<SortedField, 'name'>): (slot: number) => number {
  switch (field) {
    case 'state_since':
      return (slot) => segmentOf(segments, slot).stateSinceMs[rowOf(slot)]!;
    case 'create_time':
      return (slot) => segmentOf(segments, slot).createdMs[rowOf(slot)]!;
    case 'alert_rules_count':
      return (slot) => segmentOf(segments, slot).ruleCounts[rowOf(slot)]!;
  }
}

const stepsBetweenChecks = 4096;

async function sortAll(snapshot: Snapshot, order: SortedOrder, slicer: TimeSlicer): Promise<Uint32Array> {
  const slots = new Uint32Array(snapshot.size);
  let filled = 0;
  for (const some of snapshot.slots()) {
    slots.set(some, filled);
    filled += some.length;
    if (slicer.isDue) await slicer.pause();
  }
  return sortSlots(snapshot, slots, order, slicer);
}

/** Sorts slots that are in list order. */
export async function sortSlots(
  snapshot: Snapshot,
  slots: Uint32Array,
  { field, isDescending }: SortedOrder,
  slicer: TimeSlicer,
): Promise<Uint32Array> {
  const ranks = await (field === 'name' ? namesOf : valuesOf(field))(snapshot, slots, slicer);
  const sign = isDescending ? -1 : 1;
  const compareAt: Compare = (a, b) => sign * compareRanks(ranks[a]!, ranks[b]!);
  const positions = await sortInSlices(Uint32Array.from(slots.keys()), compareAt, slicer);
  for (let at = 0; at < positions.length; at++) {
    positions[at] = slots[positions[at]!]!;
    if (at % stepsBetweenChecks === 0 && slicer.isDue) await slicer.pause();
  }
  return positions;
}

function compareRanks(a: number | string, b: number | string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Reads the values of a field. */
function valuesOf(field: Exclude<SortedField, 'name'>) {
  return async (snapshot: Snapshot, slots: Uint32Array, slicer: TimeSlicer): Promise<Float64Array> => {
    const readValue = valueReader(snapshot, field);
    const values = new Float64Array(slots.length);
    for (let at = 0; at < slots.length; at++) {
      values[at] = readValue(slots[at]!);
      if (at % stepsBetweenChecks === 0 && slicer.isDue) await slicer.pause();
    }
    return values;
  };
}

async function namesOf({ segments }: Snapshot, slots: Uint32Array, slicer: TimeSlicer): Promise<string[]> {
  const names: string[] = [];
  for (const slot of slots) {
    names.push(nameAt(segmentOf(segments, slot), rowOf(slot)));
    if (names.length % 1024 === 0 && slicer.isDue) await slicer.pause();
  }
  return names;
}

/** Everything between two changes is copied at once. */
async function advance(
  slots: Uint32Array,
  { removed, added }: SlotChanges,
  { snapshot, order, slicer }: { snapshot: Snapshot; order: SortedOrder; slicer: TimeSlicer },
): Promise<Uint32Array> {
  const compare = comparison(snapshot, order.field, order.isDescending);
  // Rows that are gone may have been freed, so they are not compared.
  const isLeaving = new Uint8Array(snapshot.segments.length * rowsPerSegment);
  for (const slot of removed) isLeaving[slot] = 1;
  const kept = new Uint32Array(slots.length - removed.size);
  let [from, filled] = [0, 0];
  for (let at = 0; at < slots.length; at++) {
    if (isLeaving[slots[at]!] === 0) kept[filled++] = slots[at]!;
    if (at % stepsBetweenChecks === 0 && slicer.isDue) await slicer.pause();
  }
  if (added.size === 0) return kept;
  const inList = await sortByOrderKey(Uint32Array.from(added), snapshot.segments, slicer);
  const joining = await sortSlots(snapshot, inList, order, slicer);
  const next = new Uint32Array(kept.length + joining.length);
  [from, filled] = [0, 0];
  for (const slot of joining) {
    const at = positionOf(kept, slot, compare);
    next.set(kept.subarray(from, at), filled);
    filled += at - from;
    next[filled++] = slot;
    from = at;
    if (slicer.isDue) await slicer.pause();
  }
  next.set(kept.subarray(from), filled);
  return next;
}

/** How many slots come before this one. */
function positionOf(slots: Uint32Array, slot: number, compare: Compare): number {
  let low = 0;
  let high = slots.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(slots[middle]!, slot) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
