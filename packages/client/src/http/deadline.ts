/** Ends an attempt when its time is up or its caller gives up, and knows which of both it was. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #callerSignal: AbortSignal | undefined;
  readonly #timeoutMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hasExpired = false;

  /** A `timeoutMs` of 0 never ends. */
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

  /** Lets time pass, while the caller can still give up. */
  suspend(): void {
    clearTimeout(this.#timer);
  }

  /** Without it the signal of a long-lived caller would collect listeners. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#callerSignal?.removeEventListener('abort', this.#abort);
  }

  readonly #abort = () => this.#controller.abort(this.#callerSignal?.reason);
}
