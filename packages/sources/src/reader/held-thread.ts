/**
 * Who holds a thread by parsing, as seen from another one. Both ends share the memory: a thread that is held answers
 * no messages.
 */
export class HeldThread {
  readonly memory: SharedArrayBuffer;
  readonly #holder: Int32Array;
  #heldMs = 0;

  constructor(memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#holder = new Int32Array(memory);
  }

  /** The question that holds it; 0 if none does. */
  get holder(): number {
    return Atomics.load(this.#holder, 0);
  }

  /** Called on the thread itself, for as long as it does nothing else. */
  hold(id: number): void {
    const startedAtMs = performance.now();
    Atomics.store(this.#holder, 0, id);
    setImmediate(() => {
      this.#heldMs += performance.now() - startedAtMs;
      Atomics.compareExchange(this.#holder, 0, id, 0);
    });
  }

  /** Aborts after a time, not counting how long the thread was held meanwhile. Returns what takes it back. */
  limit(timeoutMs: number, deadline: AbortController): () => void {
    const countedMs = this.#heldMs;
    const startedAtMs = performance.now();
    const check = () => {
      const leftMs = timeoutMs + (this.#heldMs - countedMs) - (performance.now() - startedAtMs);
      if (leftMs > 0) timer = setTimeout(check, Math.ceil(leftMs));
      else deadline.abort();
    };
    let timer = setTimeout(check, timeoutMs);
    return () => clearTimeout(timer);
  }
}
