import type { ServerResponse } from 'node:http';
import { ShedShare } from './shed-share.ts';
import { WaitingResponses } from './waiting-responses.ts';

export interface LaneOptions {
  /** How many requests may wait for their answer. */
  readonly maxWaiting: number;
  /** How long requests may have waited, by the median, while many of them do. */
  readonly maxLateMs: number;
}

/** Fewer than this at a time may wait for as long as they like, as behind one large import. */
const crowd = 20;

/** Requests of one kind: how many wait, how long, and which share of new ones is turned away for that. */
export class ShedLane {
  readonly #options: LaneOptions;
  readonly #share = new ShedShare();
  readonly #waiting = new WaitingResponses();
  #due = 0;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting.count;
  }

  get isShedding(): boolean {
    return this.#share.value > 0;
  }

  /** Whether the next request is one to turn away. */
  refuses(): boolean {
    if (this.#waiting.count >= this.#options.maxWaiting) return true;
    if (this.#share.value === 0) return false;
    this.#due += this.#share.value;
    if (this.#due < 1) return false;
    this.#due--;
    return true;
  }

  /** Counts a request that is not answered yet, until it leaves. */
  wait(response: ServerResponse, sinceMs: number): void {
    this.#waiting.add(response, sinceMs);
  }

  leave(response: ServerResponse): void {
    this.#waiting.remove(response);
  }

  /** To be called once in each window of time, with the strain that there is beside the waiting. */
  look(strain: number): void {
    this.#share.observe(Math.max(strain, this.#lateMs() / this.#options.maxLateMs));
  }

  #lateMs(): number {
    const ages = this.#waiting.ages(isOurTurn);
    return ages.length < crowd ? 0 : ages.sort((a, b) => a - b)[ages.length >> 1]!;
  }
}

/** Whether the client waits for the server: it has sent all that was read, and taken all that was written. */
function isOurTurn({ req, writableNeedDrain }: ServerResponse): boolean {
  return (req.complete || req.readableLength > 0) && !writableNeedDrain;
}
