import { inListOrder, type Order, type SearchFilters, usualStates } from '@roster/contract';
import type { TimeSlicer } from '../../scheduling/time-slicer.ts';
import {
  ConcatenatedSelection,
  ReversedSelection,
  type Selection,
  SlotSelection,
} from '../lists/selection.ts';
import type { Bucket } from '../rows/buckets.ts';
import { bucketOf, idOf, orderKeyOf } from '../rows/segment.ts';
import type { Snapshot } from '../snapshot.ts';
import { type Summary, SummaryBuilder } from '../summary.ts';
import { KeptResults } from './kept-results.ts';
import {
  bucketFilters,
  hasRowFilters,
  hasText,
  type IndexQuery,
  isWantedByAll,
  type RowFilter,
  rowFilter,
} from './search-filter.ts';
import { comparison, type SortedOrder, sortedSlots, sortSlots } from './sorted-slots.ts';
import { TextMatches } from './text-matches.ts';

/** Up to here, matches are sorted; above, they are picked from all resources in order. */
const maxSorted = 20_000;
const slotsAtOnce = 1024;

const kept = new KeptResults(64 * 2 ** 20);

/**
 * The matches of a search in its order. Returns synchronously when the lists of the snapshot have the answer; otherwise
 * it reads all candidates, in slices.
 */
export function searchSnapshot(
  snapshot: Snapshot,
  query: IndexQuery,
  createSlicer: () => TimeSlicer,
): Selection | Promise<Selection> {
  if (query.resourceIds !== undefined && query.stations === undefined) return searchIds(snapshot, query);
  if (!isSortedOrder(query.order) && !hasRowFilters(query)) return byLists(snapshot, query);
  const key = keyOf(query);
  const known = kept.get(snapshot, key);
  if (known !== undefined) return new SlotSelection(known);
  return find(snapshot, query, createSlicer()).then((slots) => {
    kept.set(snapshot, key, slots);
    return new SlotSelection(slots);
  });
}

async function find(snapshot: Snapshot, query: IndexQuery, slicer: TimeSlicer): Promise<Uint32Array> {
  await slicer.pause();
  const text =
    query.text === undefined ? undefined : await TextMatches.find(snapshot.segments, query.text, slicer);
  const isMatch = rowFilter(snapshot, query);
  const { order } = query;
  if (text !== undefined && text.count <= maxSorted) {
    const slots = await liveMatches(snapshot, text, isCandidate(snapshot, query, isMatch), slicer);
    if (!isSortedOrder(order)) return Uint32Array.from(sortFew(snapshot, slots, order));
    return sortSlots(snapshot, Uint32Array.from(slots), order, slicer);
  }
  if (!isSortedOrder(order)) {
    return collect(byLists(snapshot, query), { isMatch, text }, slicer);
  }
  const candidates = byLists(snapshot, inListOrder(query));
  if (candidates.total > maxSorted) {
    const wanted = { isMatch: isCandidate(snapshot, query, isMatch), text };
    return pick(await sortedSlots(snapshot, order, slicer), wanted, slicer);
  }
  return sortSlots(snapshot, await collect(candidates, { isMatch, text }, slicer), order, slicer);
}

/** Counts all matches. */
export async function summariseSearch(
  snapshot: Snapshot,
  filters: SearchFilters,
  slicer: TimeSlicer,
): Promise<Summary> {
  const isByList = isDocumented(filters) && !hasRowFilters(filters);
  if (isByList) return snapshot.summarise({ ...filters, page: null });
  const selection = await searchSnapshot(snapshot, inListOrder(filters), () => slicer);
  const builder = new SummaryBuilder();
  const buffer = new Uint32Array(slotsAtOnce);
  for (let offset = 0; offset < selection.total; offset += slotsAtOnce) {
    const read = selection.read(offset, slotsAtOnce, buffer);
    for (let at = 0; at < read; at++) {
      builder.add(snapshot.buckets.at(bucketOf(snapshot.segments, buffer[at]!)), 1);
    }
    if (slicer.isDue) await slicer.pause();
  }
  return builder.finish();
}

function isSortedOrder(order: Order): order is SortedOrder {
  const { field } = order;
  return field !== 'display_name' && field !== 'state' && field !== 'resource_type';
}

/** The matches of a text that few have, in list order. */
async function liveMatches(
  snapshot: Snapshot,
  text: TextMatches,
  isMatch: RowFilter | undefined,
  slicer: TimeSlicer,
): Promise<number[]> {
  const { segments } = snapshot;
  const slots: number[] = [];
  for (const slot of text.slots()) {
    const isLive = snapshot.find(idOf(segments, slot)) === slot;
    if (isLive && (isMatch === undefined || isMatch(slot))) slots.push(slot);
    if (slicer.isDue) await slicer.pause();
  }
  return slots.sort((a, b) => orderKeyOf(segments, a) - orderKeyOf(segments, b));
}

/** A few resources, found one by one. */
function searchIds(snapshot: Snapshot, query: IndexQuery): Selection {
  const { text, order } = query;
  const filters = bucketFilters(query);
  const isMatch = rowFilter(snapshot, query);
  const slots: number[] = [];
  const candidates = snapshot.select({
    ...query,
    types: undefined,
    product: undefined,
    alertableOnly: false,
    page: null,
  });
  for (const slot of allOf(candidates)) {
    if (!isWantedByAll(filters, snapshot.buckets.at(bucketOf(snapshot.segments, slot)))) continue;
    if (isMatch?.(slot) === false) continue;
    if (text === undefined || hasText(snapshot, slot, text)) slots.push(slot);
  }
  return new SlotSelection(sortFew(snapshot, slots, order));
}

/** Sorts slots that are in list order. */
function sortFew(snapshot: Snapshot, slots: number[], order: Order): number[] {
  const { field, isDescending } = order;
  if (field === 'display_name') return isDescending ? slots.reverse() : slots;
  if (isSortedOrder(order)) return slots.sort(comparison(snapshot, order.field, isDescending));
  const rankOf = (slot: number) => groupOf(snapshot.buckets.at(bucketOf(snapshot.segments, slot)), field);
  const compare = compareGroups(field);
  return slots.sort((a, b) => (isDescending ? -1 : 1) * compare(rankOf(a), rankOf(b)));
}

function allOf(selection: Selection): Uint32Array {
  const slots = new Uint32Array(selection.total);
  selection.read(0, selection.total, slots);
  return slots;
}

/** Matches of the filters on buckets and display names, in an order that the lists have. */
function byLists(snapshot: Snapshot, query: IndexQuery): Selection {
  const { order, displayNamePrefix } = query;
  const filters = bucketFilters(query);
  const buckets = [...snapshot.buckets.values()].filter((bucket) => isWantedByAll(filters, bucket));
  if (order.field === 'display_name') {
    const selection = isDocumented(query)
      ? snapshot.select({ ...query, resourceIds: undefined, page: null })
      : snapshot.selectFrom(buckets, displayNamePrefix);
    return order.isDescending ? new ReversedSelection(selection) : selection;
  }
  const groups = Map.groupBy(buckets, (bucket) => groupOf(bucket, order.field));
  const inOrder = [...groups.keys()].sort(compareGroups(order.field));
  if (order.isDescending) inOrder.reverse();
  return new ConcatenatedSelection(
    inOrder.map((group) => snapshot.selectFrom(groups.get(group)!, displayNamePrefix)),
  );
}

/** Whether the documented list has all filters on buckets that are asked for; it has a list for each. */
function isDocumented({ states, covered, alertable }: SearchFilters): boolean {
  return states === undefined && covered === undefined && alertable === undefined;
}

function groupOf({ state, typeKey }: Bucket, field: Order['field']): string {
  return field === 'state' ? state : typeKey;
}

/** Worst first; states that we do not know come after those that we know to be bad. */
const severity = usualStates.slice(0, 2);
const calm = usualStates.slice(2);

function severityOf(state: string): number {
  if (severity.includes(state)) return severity.indexOf(state);
  return calm.includes(state) ? severity.length + 1 + calm.indexOf(state) : severity.length;
}

/** Worst first. */
export function compareStates(a: string, b: string): number {
  return severityOf(a) - severityOf(b) || compareTexts(a, b);
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareGroups(field: Order['field']): (a: string, b: string) => number {
  return field === 'state' ? compareStates : compareTexts;
}

interface Wanted {
  readonly isMatch: RowFilter | undefined;
  readonly text: TextMatches | undefined;
}

async function collect(
  candidates: Selection,
  { isMatch, text }: Wanted,
  slicer: TimeSlicer,
): Promise<Uint32Array> {
  const found = new Uint32Array(Math.min(candidates.total, text?.count ?? candidates.total));
  const buffer = new Uint32Array(slotsAtOnce);
  let count = 0;
  for (let offset = 0; offset < candidates.total; offset += slotsAtOnce) {
    const read = candidates.read(offset, slotsAtOnce, buffer);
    for (let at = 0; at < read; at++) {
      const slot = buffer[at]!;
      if (text?.has(slot) === false) continue;
      if (isMatch === undefined || isMatch(slot)) found[count++] = slot;
    }
    if (slicer.isDue) await slicer.pause();
  }
  return count === found.length ? found : found.slice(0, count);
}

/** Everything that the lists would decide, for one slot. */
function isCandidate(
  snapshot: Snapshot,
  query: IndexQuery,
  isMatch: RowFilter | undefined,
): RowFilter | undefined {
  const { segments, buckets } = snapshot;
  const filters = bucketFilters(query);
  const checks: RowFilter[] = [];
  if (filters.length > 0) {
    const wanted = Uint8Array.from(buckets.values(), (bucket) => (isWantedByAll(filters, bucket) ? 1 : 0));
    checks.push((slot) => wanted[bucketOf(segments, slot)] === 1);
  }
  if (query.displayNamePrefix !== undefined) {
    const { firstKey, endKey } = snapshot.prefixRange(query.displayNamePrefix);
    checks.push((slot) => {
      const key = orderKeyOf(segments, slot);
      return key >= firstKey && key < endKey;
    });
  }
  if (isMatch !== undefined) checks.push(isMatch);
  return checks.length === 0 ? undefined : (slot) => checks.every((check) => check(slot));
}

async function pick(sorted: Uint32Array, wanted: Wanted, slicer: TimeSlicer): Promise<Uint32Array> {
  if (wanted.isMatch === undefined && wanted.text === undefined) return sorted;
  return collect(new SlotSelection(sorted), wanted, slicer);
}

/** The same for searches that differ only in page and facets. */
function keyOf({ page: _, facets: __, labels, ...query }: IndexQuery): string {
  return JSON.stringify([query, [...labels]]);
}
