import { Shares } from '../../limits/shares.ts';
import { RefusedShare } from './refused-share.ts';

export interface WaitingOptions {
  /** How many requests may wait for the server. One address or account may have half of them. */
  readonly maxWaiting: number;
  /** How long requests may have waited, by the median, while many of them do. */
  readonly maxLateMs: number;
}

/** Fewer than this at a time may wait for as long as they like, as behind one large import. */
const crowd = 20;

/** Reads or writes: how many wait for the server, for how long, and which share of new ones is turned away for that. */
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

  /** How many requests waited for the server when they were counted last. */
  get waiting(): number {
    return this.#waitingMs.length;
  }

  /** To be called before each count of the requests that wait. */
  startCount(): void {
    this.#waitingMs = [];
    this.#owners = new Shares(this.#options.maxWaiting);
  }

  count(waitingMs: number, owners: readonly string[]): void {
    this.#waitingMs.push(waitingMs);
    for (const owner of owners) this.#owners.hold(owner);
  }

  isFullFor(owner: string): boolean {
    return this.waiting >= this.#options.maxWaiting || this.#owners.isOwnerOver(owner);
  }

  /** Whether the next request is one of the share to turn away. */
  isDue(): boolean {
    if (this.#share.value === 0) return false;
    this.#due += this.#share.value;
    if (this.#due < 1) return false;
    this.#due--;
    return true;
  }

  /** To be called once in each window of time, with the strain that there is beside the waiting. */
  look(strain: number): void {
    this.#share.observe(Math.max(strain, this.#lateMs() / this.#options.maxLateMs));
  }

  #lateMs(): number {
    const waiting = this.#waitingMs;
    return waiting.length < crowd ? 0 : waiting.toSorted((a, b) => a - b)[waiting.length >> 1]!;
  }
}
