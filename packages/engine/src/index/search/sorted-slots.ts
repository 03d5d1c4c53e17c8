import type { Order, OrderField } from '@roster/contract';
import type { TimeSlicer } from '../../scheduling/time-slicer.ts';
import type { ChangeLog, SlotChanges } from '../lists/change-log.ts';
import { allResources } from '../rows/buckets.ts';
import { orderKeyOf, rowOf, segmentOf } from '../rows/segment.ts';
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
  const changes = before && snapshot.log.between(before.position, snapshot.logPosition);
  const order = { field, isDescending };
  const next = (async () => {
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

type Compare = (a: number, b: number) => number;

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

const rowsPerRun = 4096;
const stepsBetweenChecks = 4096;

async function sortAll(snapshot: Snapshot, order: SortedOrder, slicer: TimeSlicer): Promise<Uint32Array> {
  const slots = new Uint32Array(snapshot.size);
  let filled = 0;
  for (const leaf of snapshot.list(allResources).leaves()) {
    slots.set(leaf, filled);
    filled += leaf.length;
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
  const isBefore = (a: number, b: number) => sign * compareRanks(ranks[a]!, ranks[b]!) || a - b;
  // Positions in `slots`: with equal values, the lower comes first in the list.
  let runs: Uint32Array[] = [];
  for (let from = 0; from < slots.length; from += rowsPerRun) {
    const run = Uint32Array.from({ length: Math.min(rowsPerRun, slots.length - from) }, (_, at) => from + at);
    runs.push(run.sort(isBefore));
    if (slicer.isDue) await slicer.pause();
  }
  while (runs.length > 1) {
    const merged: Uint32Array[] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const [a, b] = [runs[at]!, runs[at + 1]];
      merged.push(b === undefined ? a : await merge(a, b, isBefore, slicer));
    }
    runs = merged;
  }
  const [positions = new Uint32Array()] = runs;
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

async function merge(
  a: Uint32Array,
  b: Uint32Array,
  compare: Compare,
  slicer: TimeSlicer,
): Promise<Uint32Array> {
  const merged = new Uint32Array(a.length + b.length);
  let [fromA, fromB, filled] = [0, 0, 0];
  while (fromA < a.length && fromB < b.length) {
    if (filled % stepsBetweenChecks === 0 && slicer.isDue) await slicer.pause();
    merged[filled++] = compare(a[fromA]!, b[fromB]!) <= 0 ? a[fromA++]! : b[fromB++]!;
  }
  merged.set(a.subarray(fromA), filled);
  merged.set(b.subarray(fromB), filled + a.length - fromA);
  return merged;
}

/** Everything between two changes is copied at once. */
async function advance(
  slots: Uint32Array,
  { removed, added }: SlotChanges,
  { snapshot, order, slicer }: { snapshot: Snapshot; order: SortedOrder; slicer: TimeSlicer },
): Promise<Uint32Array> {
  const compare = comparison(snapshot, order.field, order.isDescending);
  const leaving = new Uint32Array(removed.size);
  let found = 0;
  for (const slot of removed) {
    leaving[found++] = positionOf(slots, slot, compare);
    if (slicer.isDue) await slicer.pause();
  }
  const kept = new Uint32Array(slots.length - leaving.length);
  let [from, filled] = [0, 0];
  for (const at of [...leaving.sort(), slots.length]) {
    kept.set(slots.subarray(from, at), filled);
    filled += at - from;
    from = at + 1;
  }
  if (added.size === 0) return kept;
  const { segments } = snapshot;
  const inList = Uint32Array.from(added).sort((a, b) => orderKeyOf(segments, a) - orderKeyOf(segments, b));
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
