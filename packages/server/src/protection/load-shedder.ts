import type { IncomingMessage, ServerResponse } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { RosterError } from '@roster/contract';
import type { Logger } from 'pino';
import { type LaneOptions, ShedLane } from './shed-lane.ts';

export interface LoadShedderOptions extends LaneOptions {
  /** How late the event loop may be, all the time; 0 turns nothing away, ever. */
  readonly maxLagMs: number;
  readonly logger: Logger;
}

const windowMs = 250;
const resolutionMs = 20;
const nanosecondsPerMs = 1e6;
/** Clients that were turned away together shall not come back together. */
const longestRetrySeconds = 4;

/**
 * Turns requests away while there are more than can be answered, so that those who are let in are answered in
 * time. How late the event loop is tells how long a request waits before anyone looks at it; how long requests have
 * been waiting tells of all other queues. Writes queue behind each other, and reads shall not suffer for that: each
 * have a lane of their own.
 */
export class LoadShedder {
  readonly #options: LoadShedderOptions;
  readonly #reads: ShedLane;
  readonly #writes: ShedLane;
  readonly #delay = monitorEventLoopDelay({ resolution: resolutionMs });
  readonly #timer: NodeJS.Timeout | undefined;
  #shedCount = 0;
  #isShedding = false;

  constructor(options: LoadShedderOptions) {
    this.#options = options;
    this.#reads = new ShedLane(options);
    this.#writes = new ShedLane(options);
    if (options.maxLagMs === 0) return;
    this.#delay.enable();
    this.#timer = setInterval(() => this.#look(), windowMs).unref();
  }

  /** How many requests have been turned away. */
  get shedCount(): number {
    return this.#shedCount;
  }

  /** How many requests wait for their answer. */
  get waiting(): number {
    return this.#reads.waiting + this.#writes.waiting;
  }

  /** Whether this request is one to turn away. */
  refuses(request: IncomingMessage): boolean {
    if (this.#options.maxLagMs === 0 || !this.#laneOf(request).refuses()) return false;
    this.#shedCount++;
    return true;
  }

  /** Counts a request that came at `sinceMs` and is not answered yet, until it leaves. */
  wait(response: ServerResponse, sinceMs: number): void {
    this.#laneOf(response.req).wait(response, sinceMs);
  }

  /** To be called when the response of a request is closed, whether it had to wait or not. */
  leave(response: ServerResponse): void {
    this.#laneOf(response.req).leave(response);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#delay.disable();
  }

  #laneOf({ method }: IncomingMessage): ShedLane {
    return method === 'GET' || method === 'HEAD' ? this.#reads : this.#writes;
  }

  #look(): void {
    const lagMs = this.#delay.percentile(50) / nanosecondsPerMs - resolutionMs;
    this.#delay.reset();
    const strain = lagMs / this.#options.maxLagMs;
    this.#reads.look(strain);
    this.#writes.look(strain);
    const isShedding = this.#reads.isShedding || this.#writes.isShedding;
    if (isShedding === this.#isShedding) return;
    this.#isShedding = isShedding;
    const { logger } = this.#options;
    if (isShedding) logger.warn('overloaded: requests are being turned away');
    else logger.warn({ turned_away: this.#shedCount }, 'no longer overloaded');
  }
}

export function overloaded(): RosterError {
  const retryAfterSeconds = 1 + Math.floor(Math.random() * longestRetrySeconds);
  return new RosterError('overloaded', 'there is more to do than can be done in time; nothing was done', {
    retryAfterSeconds,
  });
}
