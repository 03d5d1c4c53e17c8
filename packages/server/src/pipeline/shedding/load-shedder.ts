import { RosterError } from '@roster/contract';
import type { Logger } from 'pino';
import type { Exchange } from '../../http/exchange.ts';
import { accountOf } from '../../http/principal.ts';
import { addressKey } from '../../quotas/address-key.ts';
import type { OpenExchanges } from '../open-exchanges.ts';
import { LongestStall } from './longest-stall.ts';
import { closeUnreadAnswers } from './unread-answers.ts';
import { type WaitingOptions, WaitingRequests } from './waiting-requests.ts';

export interface LoadShedderOptions extends WaitingOptions {
  /** How long the event loop may stall repeatedly; 0 never sheds. */
  readonly maxLagMs: number;
  /** How much clients may leave unread; one address or account may leave half of it. */
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
/** So long after the last refusal the overload is over: those who were refused are back by then. */
const calmMs = (longestRetrySeconds + 1) * 1_000;

/**
 * Refuses requests while there are more than can be answered in time: while the event loop stalls, or while requests
 * wait too long for the server. Waiting for a client does not count. Reads and writes are shed separately, so reads do
 * not suffer while writes queue.
 */
export class LoadShedder {
  readonly #options: LoadShedderOptions;
  readonly #open: OpenExchanges;
  readonly #reads: WaitingRequests;
  readonly #writes: WaitingRequests;
  readonly #stalls = new LongestStall();
  readonly #timer: NodeJS.Timeout;
  #countedAtMs = Number.NEGATIVE_INFINITY;
  /** An upper bound of the bytes that clients have not read. */
  #unreadBytes = 0;
  #shedCount = 0;
  #shedAtMs = Number.NEGATIVE_INFINITY;
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

  /** Throws `overloaded` if this request must be refused. Called before its sender is known. */
  admit(exchange: Exchange): void {
    if (this.#options.maxLagMs === 0) return;
    if (this.#laneOf(exchange).isDue() || this.#isFullFor(exchange, addressKey(exchange.client.address)))
      this.#shed();
  }

  /** Throws `overloaded` if too many requests of this account are waiting. */
  admitAccount(exchange: Exchange): void {
    const account = accountOf(exchange.principal);
    if (account === undefined || this.#options.maxLagMs === 0) return;
    if (this.#isFullFor(exchange, account)) this.#shed();
  }

  /** Call this after writing an answer that the client has not read yet. */
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
    this.#shedAtMs = performance.now();
    this.#options.onShed();
    throw overloaded();
  }

  #isFullFor(exchange: Exchange, owner: string): boolean {
    // Below this, nobody can exceed a share.
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
    const wasRefused = performance.now() - this.#shedAtMs < calmMs;
    const isShedding = wasRefused || this.#reads.isShedding || this.#writes.isShedding;
    if (isShedding === this.#isShedding) return;
    this.#isShedding = isShedding;
    if (isShedding) logger.warn('overloaded: refusing requests');
    else logger.warn({ turned_away: this.#shedCount }, 'no longer overloaded');
  }
}

/** Whether the client waits for the server and not the other way round. */
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
  return new RosterError('overloaded', 'the server cannot answer in time; nothing was done', {
    retryAfterSeconds,
  });
}
