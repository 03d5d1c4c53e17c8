const resolutionMs = 20;

/**
 * How long the event loop stood still at most. `monitorEventLoopDelay` drops what it measures first after a reset, and
 * in a loop that is late all the time that is all there is.
 */
export class LongestStall {
  readonly #timer = setInterval(() => this.#measure(), resolutionMs).unref();
  #measuredAtMs = performance.now();
  #longestMs = 0;

  /** The longest time since this was last called, the one that has just ended included. */
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
