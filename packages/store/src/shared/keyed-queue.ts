/** Runs work with the same key one at a time, in the order of the calls. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Whether work with this key is running or waiting. */
  isBusy(key: string): boolean {
    return this.#last.has(key);
  }

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const queued = (this.#last.get(key) ?? Promise.resolve()).then(work, work);
    this.#last.set(key, queued);
    const forget = () => {
      if (this.#last.get(key) === queued) this.#last.delete(key);
    };
    queued.then(forget, forget);
    return queued;
  }
}
