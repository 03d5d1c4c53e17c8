export interface CachedAnswer {
  readonly etag: string;
  readonly text: string;
}

const maxTextLength = 1024 * 1024;

/** Evicts the least recently used answer. Keeps texts, because callers may modify parsed values. */
export class EtagCache {
  readonly #answers = new Map<string, CachedAnswer>();
  readonly #maxEntries: number;

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  get(key: string): CachedAnswer | undefined {
    const answer = this.#answers.get(key);
    if (answer === undefined) return undefined;
    this.#answers.delete(key);
    this.#answers.set(key, answer);
    return answer;
  }

  set(key: string, answer: CachedAnswer): void {
    this.#answers.delete(key);
    if (answer.text.length > maxTextLength) return;
    this.#answers.set(key, answer);
    if (this.#answers.size <= this.#maxEntries) return;
    for (const oldest of this.#answers.keys()) {
      this.#answers.delete(oldest);
      return;
    }
  }
}
