import { Shares } from '../../quotas/shares.ts';
import { RefusedShare } from './refused-share.ts';

export interface WaitingOptions {
  /** How many requests may wait for the server. One address or account may have half of them. */
  readonly maxWaiting: number;
  /** How long the median of many waiting requests may have waited. */
  readonly maxLateMs: number;
}

/** Fewer than this may wait for any time, for example behind one large import. */
const crowd = 20;

/** Reads or writes: how many wait, for how long, and which share of new ones to refuse. */
export class WaitingRequests {
  readonly #options: WaitingOptions;
  readonly #share = new RefusedShare();
  #due = 0;
  #waitingMs: number[] = [];
  #owners: Shares;

  constructor(options: WaitingOptions) {
    this.#options = options;
    this.#owners = new Shares(options.maxWaiting);
  }

  get isShedding(): boolean {
    return this.#share.value > 0;
  }

  /** Call this before each count of the waiting requests. */
  startCount(): void {
    this.#waitingMs = [];
    this.#owners = new Shares(this.#options.maxWaiting);
  }

  count(waitingMs: number, owners: readonly string[]): void {
    this.#waitingMs.push(waitingMs);
    for (const owner of owners) this.#owners.hold(owner);
  }

  isFullFor(owner: string): boolean {
    return this.#waitingMs.length >= this.#options.maxWaiting || this.#owners.isOwnerOver(owner);
  }

  /** Whether the next request is one to refuse. */
  isDue(): boolean {
    if (this.#share.value === 0) return false;
    this.#due += this.#share.value;
    if (this.#due < 1) return false;
    this.#due--;
    return true;
  }

  /** Call this once per window, with the strain from other causes. */
  look(strain: number): void {
    this.#share.observe(Math.max(strain, this.#lateMs() / this.#options.maxLateMs));
  }

  #lateMs(): number {
    const waiting = this.#waitingMs;
    return waiting.length < crowd ? 0 : waiting.toSorted((a, b) => a - b)[waiting.length >> 1]!;
  }
}
