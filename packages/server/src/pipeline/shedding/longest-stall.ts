const resolutionMs = 20;

/**
 * The longest stall of the event loop. `monitorEventLoopDelay` drops its first measurement after a reset, and a loop
 * that is always late has no other.
 */
export class LongestStall {
  readonly #timer = setInterval(() => this.#measure(), resolutionMs).unref();
  #measuredAtMs = performance.now();
  #longestMs = 0;

  /** The longest stall since the last call, including one that has just ended. */
  takeMs(): number {
    this.#measure();
    const longestMs = this.#longestMs;
    this.#longestMs = 0;
    return longestMs;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #measure(): void {
    const nowMs = performance.now();
    this.#longestMs = Math.max(this.#longestMs, nowMs - this.#measuredAtMs - resolutionMs);
    this.#measuredAtMs = nowMs;
  }
}
