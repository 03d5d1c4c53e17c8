/** Ends an attempt on timeout or abort, and knows which it was. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #callerSignal: AbortSignal | undefined;
  readonly #timeoutMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hasExpired = false;

  /** A `timeoutMs` of 0 means no timeout. */
  constructor(timeoutMs: number, callerSignal: AbortSignal | undefined) {
    this.#timeoutMs = timeoutMs;
    this.#callerSignal = callerSignal;
    if (callerSignal?.aborted) this.#abort();
    callerSignal?.addEventListener('abort', this.#abort);
    this.restart();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get timeoutMs(): number {
    return this.#timeoutMs;
  }

  get hasExpired(): boolean {
    return this.#hasExpired;
  }

  restart(): void {
    clearTimeout(this.#timer);
    if (this.#timeoutMs === 0) return;
    this.#timer = setTimeout(() => {
      this.#hasExpired = true;
      this.#controller.abort();
    }, this.#timeoutMs);
  }

  /** Stops the clock; the caller can still abort. */
  suspend(): void {
    clearTimeout(this.#timer);
  }

  /** Removes the listener, or a long-lived signal would collect them. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#callerSignal?.removeEventListener('abort', this.#abort);
  }

  readonly #abort = () => this.#controller.abort(this.#callerSignal?.reason);
}
