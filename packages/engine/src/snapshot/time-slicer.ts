import { setImmediate, setTimeout } from 'node:timers/promises';

export interface TimeSlicerOptions {
  /** How long to compute before giving way. */
  readonly sliceMs: number;
  /** How long to rest then; 0 rests only until what is waiting has had its turn. */
  readonly restMs: number;
}

/** Lets a long computation give way to other work: `if (slicer.isDue) await slicer.pause()`. */
export class TimeSlicer {
  readonly #options: TimeSlicerOptions;
  #until: number;

  constructor(options: TimeSlicerOptions = { sliceMs: 4, restMs: 0 }) {
    this.#options = options;
    this.#until = performance.now() + options.sliceMs;
  }

  get isDue(): boolean {
    return performance.now() >= this.#until;
  }

  async pause(): Promise<void> {
    const { sliceMs, restMs } = this.#options;
    await (restMs === 0 ? setImmediate() : setTimeout(restMs));
    this.#until = performance.now() + sliceMs;
  }
}
