import type { TimeSlicer } from '../../scheduling/time-slicer.ts';
import { compareSlots, type Segment } from '../rows/segment.ts';

const stepsBetweenChecks = 2048;

/**
 * Merges sorted runs as they arrive: a run waits until the one behind it is half as long. Only neighbours are
 * merged, so runs that arrive in order cost little.
 */
export class RunMerger {
  readonly #runs: Uint32Array[] = [];
  readonly #segments: readonly Segment[];
  readonly #slicer: TimeSlicer;

  constructor(segments: readonly Segment[], slicer: TimeSlicer) {
    this.#segments = segments;
    this.#slicer = slicer;
  }

  async add(run: Uint32Array): Promise<void> {
    this.#runs.push(run);
    while (this.#runs.length > 1 && this.#runs.at(-2)!.length < 2 * this.#runs.at(-1)!.length) {
      await this.#mergeLast();
    }
  }

  async finish(): Promise<Uint32Array> {
    while (this.#runs.length > 1) await this.#mergeLast();
    return this.#runs[0] ?? new Uint32Array(0);
  }

  async #mergeLast(): Promise<void> {
    const last = this.#runs.pop()!;
    const before = this.#runs.pop()!;
    this.#runs.push(await mergeTwo(before, last, this.#segments, this.#slicer));
  }
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
