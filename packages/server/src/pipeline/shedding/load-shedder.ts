import { RosterError } from '@roster/contract';
import type { Logger } from 'pino';
import type { Exchange } from '../../http/exchange.ts';
import { accountOf } from '../../http/principal.ts';
import { addressKey } from '../../limits/address-key.ts';
import type { OpenExchanges } from '../open-exchanges.ts';
import { LongestStall } from './longest-stall.ts';
import { closeUnreadAnswers } from './unread-answers.ts';
import { type WaitingOptions, WaitingRequests } from './waiting-requests.ts';

export interface LoadShedderOptions extends WaitingOptions {
  /** How long the event loop may stall, again and again; 0 never sheds. */
  readonly maxLagMs: number;
  /** How much of their answers clients may leave unread; one address or account may leave half of it. */
  readonly maxUnreadBytes: number;
  readonly logger: Logger;
  /** Called for each request that is refused. */
  readonly onShed: () => void;
}

const windowMs = 250;
/** How long a count of waiting requests is good enough. */
const countMs = 50;
/** Spreads out the return of clients that were refused together. */
const longestRetrySeconds = 4;

/**
 * Refuses requests while there are more than can be answered in time. Two signs of overload count: how long the event
 * loop stalls, and how long requests have been waiting for the server; time spent waiting for a client does not. Reads
 * and writes are shed apart, so that reads do not suffer while writes queue.
 */
export class LoadShedder {
  readonly #options: LoadShedderOptions;
  readonly #open: OpenExchanges;
  readonly #reads: WaitingRequests;
  readonly #writes: WaitingRequests;
  readonly #stalls = new LongestStall();
  readonly #timer: NodeJS.Timeout;
  #countedAtMs = Number.NEGATIVE_INFINITY;
  /** An upper bound of what clients have left unread. */
  #unreadBytes = 0;
  #shedCount = 0;
  #isShedding = false;

  constructor(open: OpenExchanges, options: LoadShedderOptions) {
    this.#open = open;
    this.#options = options;
    this.#reads = new WaitingRequests(options);
    this.#writes = new WaitingRequests(options);
    this.#timer = setInterval(() => this.#look(), windowMs).unref();
  }

  /** How many requests have been refused. */
  get shedCount(): number {
    return this.#shedCount;
  }

  /** Throws `overloaded` if this request is one to refuse, before it is known who sent it. */
  admit(exchange: Exchange): void {
    if (this.#options.maxLagMs === 0) return;
    if (!this.#laneOf(exchange).isDue() && !this.#isFullFor(exchange, addressKey(exchange.client.address)))
      return;
    this.#shed();
  }

  /** Throws `overloaded` if too many requests of this account wait. */
  admitAccount(exchange: Exchange): void {
    const account = accountOf(exchange.principal);
    if (account === undefined || this.#options.maxLagMs === 0) return;
    if (this.#isFullFor(exchange, account)) this.#shed();
  }

  /** To be called when an answer was written that its client may not read. */
  noteUnread(bytes: number): void {
    this.#unreadBytes += bytes;
    if (this.#unreadBytes > this.#options.maxUnreadBytes / 2) this.#closeUnread();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#stalls.close();
  }

  #shed(): never {
    this.#shedCount++;
    this.#options.onShed();
    throw overloaded();
  }

  #isFullFor(exchange: Exchange, owner: string): boolean {
    // Below that nobody can hold more than a share.
    if (this.#open.count <= this.#options.maxWaiting / 2) return false;
    if (performance.now() - this.#countedAtMs > countMs) this.#countWaiting();
    return this.#laneOf(exchange).isFullFor(owner);
  }

  #countWaiting(): void {
    const nowMs = performance.now();
    this.#countedAtMs = nowMs;
    this.#reads.startCount();
    this.#writes.startCount();
    for (const exchange of this.#open) {
      if (exchange.isFair || !isServersTurn(exchange)) continue;
      this.#laneOf(exchange).count(nowMs - exchange.startedAtMs, ownersOf(exchange));
    }
  }

  #closeUnread(): void {
    this.#unreadBytes = closeUnreadAnswers(this.#open, this.#options.maxUnreadBytes, ownersOf);
  }

  #laneOf({ isRead }: Exchange): WaitingRequests {
    return isRead ? this.#reads : this.#writes;
  }

  #look(): void {
    this.#closeUnread();
    const { maxLagMs, logger } = this.#options;
    if (maxLagMs === 0) return;
    this.#countWaiting();
    const strain = this.#stalls.takeMs() / maxLagMs;
    this.#reads.look(strain);
    this.#writes.look(strain);
    const isShedding = this.#reads.isShedding || this.#writes.isShedding;
    if (isShedding === this.#isShedding) return;
    this.#isShedding = isShedding;
    if (isShedding) logger.warn('overloaded: refusing requests');
    else logger.warn({ turned_away: this.#shedCount }, 'no longer overloaded');
  }
}

/** Whether the client waits for the server: it has sent all that was read, and taken all that was written. */
function isServersTurn({ response: { req, writableEnded, writableNeedDrain } }: Exchange): boolean {
  return !writableEnded && !writableNeedDrain && (req.complete || req.readableLength > 0);
}

function ownersOf({ client, principal }: Exchange): string[] {
  const address = addressKey(client.address);
  const account = accountOf(principal);
  return account === undefined ? [address] : [address, account];
}

export function overloaded(): RosterError {
  const retryAfterSeconds = 1 + Math.floor(Math.random() * longestRetrySeconds);
  return new RosterError('overloaded', 'there is more to do than can be done in time; nothing was done', {
    retryAfterSeconds,
  });
}
