export interface Rate {
  readonly perSecond: number;
  /** How many may come at once. */
  readonly burst: number;
}

const maxKeys = 50_000;

/**
 * The generic cell rate algorithm: keeps, for each key, the time at which its burst is whole again. The number of keys
 * is bounded; the oldest is forgotten first, and has its burst back.
 */
export class RateLimiter {
  readonly #intervalMs: number;
  readonly #burstMs: number;
  readonly #maxKeys: number;
  readonly #wholeAtMs = new Map<string, number>();

  constructor({ perSecond, burst }: Rate, keys = maxKeys) {
    this.#intervalMs = 1000 / perSecond;
    this.#burstMs = burst * this.#intervalMs;
    this.#maxKeys = keys;
  }

  get keyCount(): number {
    return this.#wholeAtMs.size;
  }

  /** Takes one, and returns how many are left; -1 if there was none to take. */
  take(key: string, nowMs: number): number {
    const known = this.#wholeAtMs.get(key);
    const wholeAtMs = (known === undefined || known < nowMs ? nowMs : known) + this.#intervalMs;
    const leftMs = nowMs + this.#burstMs - wholeAtMs;
    if (leftMs < -roundingMs) return -1;
    if (known === undefined) this.#makeRoom();
    this.#wholeAtMs.set(key, wholeAtMs);
    return Math.floor((leftMs + roundingMs) / this.#intervalMs);
  }

  /** How long until one can be taken. */
  waitMs(key: string, nowMs: number): number {
    const refillMs = Math.max(0, (this.#wholeAtMs.get(key) ?? 0) - nowMs);
    const waitMs = refillMs + this.#intervalMs - this.#burstMs;
    return waitMs > roundingMs ? waitMs : 0;
  }

  #makeRoom(): void {
    if (this.#wholeAtMs.size < this.#maxKeys) return;
    this.#wholeAtMs.delete(this.#wholeAtMs.keys().next().value!);
  }
}

/** Sums of intervals are not exact; the error must not cost a request. */
const roundingMs = 1e-3;
