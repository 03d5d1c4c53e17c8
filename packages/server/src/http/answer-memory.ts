import type { ServerResponse } from 'node:http';

/** A body of 64 KiB and the head in front of it. */
const usualBytes = 68 * 1024;

/**
 * Memory for the answer that is being written. Most answers go to the kernel while they are sent, and then
 * the same memory serves the next one: an answer allocates nothing.
 */
export class AnswerMemory {
  #memory = Buffer.allocUnsafeSlow(usualBytes);

  /** Memory to fill and send at once. It is good until the next call. */
  readonly take = (size: number): Buffer =>
    size <= usualBytes ? this.#memory.subarray(0, size) : Buffer.allocUnsafeSlow(size);

  /** To be called when what was taken has been given to `response`: what that still holds is not used again. */
  given(response: ServerResponse): void {
    if (response.writableLength > 0) this.#memory = Buffer.allocUnsafeSlow(usualBytes);
  }
}
