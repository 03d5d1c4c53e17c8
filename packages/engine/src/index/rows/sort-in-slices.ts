import type { TimeSlicer } from '../../scheduling/time-slicer.ts';

export type Compare = (a: number, b: number) => number;

const valuesPerRun = 2048;
const stepsBetweenChecks = 2048;

/** Sorts numbers, equal ones in the order in which they are given. */
export async function sortInSlices(
  values: Uint32Array,
  compare: Compare,
  slicer: TimeSlicer,
): Promise<Uint32Array> {
  let runs: Uint32Array[] = [];
  for (let from = 0; from < values.length; from += valuesPerRun) {
    runs.push(values.slice(from, from + valuesPerRun).sort(compare));
    if (slicer.isDue) await slicer.pause();
  }
  while (runs.length > 1) {
    const merged: Uint32Array[] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const [a, b] = [runs[at]!, runs[at + 1]];
      merged.push(b === undefined ? a : await mergeInSlices(a, b, compare, slicer));
    }
    runs = merged;
  }
  return runs[0] ?? new Uint32Array(0);
}

/** Merges two sorted runs, of equal numbers those of the first one first. */
export async function mergeInSlices(
  a: Uint32Array,
  b: Uint32Array,
  compare: Compare,
  slicer: TimeSlicer,
): Promise<Uint32Array> {
  const merged = new Uint32Array(a.length + b.length);
  const isInOrder = a.length === 0 || b.length === 0 || compare(a.at(-1)!, b[0]!) <= 0;
  if (isInOrder) {
    merged.set(a);
    merged.set(b, a.length);
    return merged;
  }
  let [fromA, fromB, filled] = [0, 0, 0];
  while (fromA < a.length && fromB < b.length) {
    const isBlockDone = (filled & (stepsBetweenChecks - 1)) === 0;
    if (isBlockDone && slicer.isDue) await slicer.pause();
    merged[filled++] = compare(a[fromA]!, b[fromB]!) <= 0 ? a[fromA++]! : b[fromB++]!;
  }
  merged.set(a.subarray(fromA), filled);
  merged.set(b.subarray(fromB), filled + a.length - fromA);
  return merged;
}
