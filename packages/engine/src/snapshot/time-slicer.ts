import { setImmediate } from 'node:timers/promises';

/** Lets a long computation give way to other work: `if (slicer.isDue) await slicer.pause()`. */
export class TimeSlicer {
  readonly #sliceMs: number;
  #until: number;

  constructor(sliceMs = 4) {
    this.#sliceMs = sliceMs;
    this.#until = performance.now() + sliceMs;
  }

  get isDue(): boolean {
    return performance.now() >= this.#until;
  }

  async pause(): Promise<void> {
    await setImmediate();
    this.#until = performance.now() + this.#sliceMs;
  }
}
