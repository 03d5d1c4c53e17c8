import type { OrderedList } from './ordered-list.ts';
import { compareSlots, labelOf, rowOf, type Segment, segmentOf } from './segment.ts';

const labelSpace = 2 ** 52;

/** The distance between the labels of `count` slots that are spread evenly. */
export function labelGap(count: number): number {
  return Math.floor(labelSpace / (count + 1));
}

/**
 * Labels are numbers in list order with gaps between them, so that slots of different lists can be put in
 * order without comparing strings, and a new resource fits between its neighbours.
 *
 * Gives every slot of `fresh` (in list order, none of them in `all`) a label between its neighbours in
 * `all`. Returns false when a gap is used up.
 */
export function labelBetween(
  fresh: readonly number[],
  all: OrderedList,
  segments: readonly Segment[],
): boolean {
  for (let start = 0; start < fresh.length; ) {
    const rank = all.rankWhere((slot) => compareSlots(segments, slot, fresh[start]!) < 0);
    const previous = rank > 0 ? all.slotAt(rank - 1) : undefined;
    const next = rank < all.size ? all.slotAt(rank) : undefined;
    let end = start + 1;
    while (end < fresh.length && (next === undefined || compareSlots(segments, fresh[end]!, next) < 0)) end++;
    const low = previous === undefined ? 0 : labelOf(segments, previous);
    const high = next === undefined ? labelSpace : labelOf(segments, next);
    const step = Math.floor((high - low) / (end - start + 1));
    if (step < 1) return false;
    const first = end - start > 1 ? low + step : labelForOne(low, high, (previous ?? -1) > (next ?? -1));
    for (let at = start; at < end; at++) {
      const slot = fresh[at]!;
      segmentOf(segments, slot).labels[rowOf(slot)] = first + step * (at - start);
    }
    start = end;
  }
  return true;
}

/**
 * Resources often come one by one in the order of their names. The newer neighbour tells the direction:
 * staying close to it leaves room for over a thousand more, where halving the gap would leave room for fifty.
 */
function labelForOne(low: number, high: number, previousIsNewer: boolean): number {
  const distance = Math.max(1, Math.floor((high - low) / 64));
  return previousIsNewer ? low + distance : high - distance;
}
