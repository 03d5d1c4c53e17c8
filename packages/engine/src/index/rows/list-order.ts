import type { TimeSlicer } from '../../scheduling/time-slicer.ts';
import { displayNameOf, idOf, orderKeyOf, type Segment } from './segment.ts';
import { sortInSlices } from './sort-in-slices.ts';

/** The order of every list: display name, then id, by UTF-16 code units. */
export function compareSlots(segments: readonly Segment[], a: number, b: number): number {
  const nameA = displayNameOf(segments, a);
  const nameB = displayNameOf(segments, b);
  if (nameA !== nameB) return nameA < nameB ? -1 : 1;
  const idA = idOf(segments, a);
  const idB = idOf(segments, b);
  return idA < idB ? -1 : idA > idB ? 1 : 0;
}

/** For slots that have their order keys. */
export function sortByOrderKey(
  slots: Uint32Array,
  segments: readonly Segment[],
  slicer: TimeSlicer,
): Promise<Uint32Array> {
  return sortInSlices(slots, (a, b) => orderKeyOf(segments, a) - orderKeyOf(segments, b), slicer);
}
