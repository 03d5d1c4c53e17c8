import type { OrderedList } from '../lists/ordered-list.ts';
import { compareSlots } from '../rows/list-order.ts';
import { orderKeyOf, rowOf, type Segment, segmentOf } from '../rows/segment.ts';

const keySpace = 2 ** 52;

/** The gap between the keys of `count` evenly spread slots. */
export function orderKeyGap(count: number): number {
  return Math.floor(keySpace / (count + 1));
}

/**
 * Order keys are numbers in list order with gaps between them: slots of different lists are merged without comparing
 * strings, and a new resource fits between its neighbours.
 *
 * Gives every slot of `fresh` (in list order, none of them in `all`) a key between its neighbours in `all`. Returns
 * false when a gap is used up.
 */
export function assignOrderKeys(
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
    const low = previous === undefined ? 0 : orderKeyOf(segments, previous);
    const high = next === undefined ? keySpace : orderKeyOf(segments, next);
    const step = Math.floor((high - low) / (end - start + 1));
    if (step < 1) return false;
    const first = end - start > 1 ? low + step : keyForOne(low, high, (previous ?? -1) > (next ?? -1));
    for (let at = start; at < end; at++) {
      const slot = fresh[at]!;
      segmentOf(segments, slot).orderKeys[rowOf(slot)] = first + step * (at - start);
    }
    start = end;
  }
  return true;
}

/**
 * Resources often arrive one by one in name order. Staying close to the newer neighbour leaves room for over
 * a thousand more in that direction; halving the gap would leave room for fifty.
 */
function keyForOne(low: number, high: number, previousIsNewer: boolean): number {
  const distance = Math.max(1, Math.floor((high - low) / 64));
  return previousIsNewer ? low + distance : high - distance;
}
