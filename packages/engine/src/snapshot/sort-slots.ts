import { compareSlots, type Segment } from './segment.ts';
import type { TimeSlicer } from './time-slicer.ts';

const stepsBetweenChecks = 2048;

/** Merges sorted runs into one, neighbours first, so that runs which arrive in order cost little. */
export async function mergeRuns(
  runs: readonly Uint32Array[],
  segments: readonly Segment[],
  slicer: TimeSlicer,
): Promise<Uint32Array> {
  let current = runs;
  while (current.length > 1) {
    const merged: Uint32Array[] = [];
    for (let at = 0; at < current.length; at += 2) {
      const next = current[at + 1];
      merged.push(next === undefined ? current[at]! : await mergeTwo(current[at]!, next, segments, slicer));
    }
    current = merged;
  }
  return current[0] ?? new Uint32Array(0);
}

export async function mergeTwo(
  a: Uint32Array,
  b: Uint32Array,
  segments: readonly Segment[],
  slicer: TimeSlicer,
): Promise<Uint32Array> {
  const merged = new Uint32Array(a.length + b.length);
  const isInOrder = a.length === 0 || b.length === 0 || compareSlots(segments, a.at(-1)!, b[0]!) <= 0;
  if (isInOrder) {
    merged.set(a);
    merged.set(b, a.length);
    return merged;
  }
  let fromA = 0;
  let fromB = 0;
  let filled = 0;
  while (fromA < a.length && fromB < b.length) {
    const isBlockDone = (filled & (stepsBetweenChecks - 1)) === 0;
    if (isBlockDone && slicer.isDue) await slicer.pause();
    const takeA = compareSlots(segments, a[fromA]!, b[fromB]!) <= 0;
    merged[filled++] = takeA ? a[fromA++]! : b[fromB++]!;
  }
  merged.set(a.subarray(fromA), filled);
  merged.set(b.subarray(fromB), filled + a.length - fromA);
  return merged;
}
