import type { TimeSlicer } from '../../scheduling/time-slicer.ts';
import { compareSlots } from '../rows/list-order.ts';
import type { Segment } from '../rows/segment.ts';
import { mergeInSlices } from '../rows/sort-in-slices.ts';

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
    const compare = (a: number, b: number) => compareSlots(this.#segments, a, b);
    this.#runs.push(await mergeInSlices(before, last, compare, this.#slicer));
  }
}
