import type { ServerResponse } from 'node:http';
import {
  formatRevision,
  type HistoryPosition,
  RosterError,
  type StationAddress,
  stationNotFound,
} from '@roster/contract';
import type { Engine, Head, Store } from '@roster/engine';
import { problemAnswer } from '../../http/problem.ts';
import { drained } from '../../node/drained.ts';
import type { HeavyRead } from '../../pipeline/shedding/heavy-reads.ts';
import type { HeadSignals } from './head-signals.ts';
import { renderEvent, type StreamPage, type StreamPages } from './stream-pages.ts';

export interface StreamRequest {
  readonly address: StationAddress;
  /** Undefined begins now. */
  readonly since: HistoryPosition | undefined;
  readonly resourceId: string | undefined;
  readonly acceptLanguage: string | undefined;
  readonly read: HeavyRead;
}

export interface StreamParts {
  readonly store: Store;
  readonly engine: Engine;
  readonly signals: HeadSignals;
  readonly pages: StreamPages;
  /** Called when a client was too slow. */
  onDropped(): void;
}

/** How often an idle stream sends its position as a heartbeat. */
const heartbeatMs = 15_000;
/** Signals are hints, so a stream also looks for itself. */
const pollMs = 1_000;
/** A client that takes nothing for so long is let go; it can come back to where it was. */
const maxStallMs = 60_000;

const headers = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // Proxies that buffer answers would keep events back.
  'X-Accel-Buffering': 'no',
};

/**
 * The changes of one station to one client. It reads on only when the client has taken what was sent, so
 * that a slow client costs no memory: it falls behind, and what it has not heard waits in the store.
 */
export class ChangeStream {
  readonly #request: StreamRequest;
  readonly #parts: StreamParts;
  readonly #ended = new AbortController();
  #position: HistoryPosition | undefined;
  #wake: (() => void) | undefined;
  #mayHaveMoved = true;
  /** When something was last sent, in milliseconds of `performance.now()`. */
  #spokenAt = 0;

  constructor(request: StreamRequest, parts: StreamParts) {
    this.#request = request;
    this.#parts = parts;
    this.#position = request.since;
  }

  /** What there is to send at once. Throws what the client shall be told instead of a stream. */
  async open(): Promise<StreamPage> {
    const head = await this.#head();
    this.#position ??= head;
    const page = await this.#nextPage(head, this.#position);
    this.#position = page.next;
    return page;
  }

  /** Sends until the client, the station or the server goes away. */
  async run(response: ServerResponse, first: StreamPage): Promise<void> {
    const unsubscribe = this.#parts.signals.subscribe(this.#request.address, () => this.#signal());
    response.once('close', () => this.end());
    response.writeHead(200, headers);
    response.flushHeaders();
    // To HEAD this is the whole answer.
    if (!hasBody(response)) this.end();
    try {
      await this.#send(response, first.text + this.#bookmark());
      while (!this.#ended.signal.aborted) await this.#step(response);
    } catch (error) {
      if (!this.#ended.signal.aborted) response.write(endingEvent(error));
    } finally {
      unsubscribe();
      response.end();
    }
  }

  /** Lets `run` come to its end. */
  end(): void {
    this.#ended.abort();
    this.#signal();
  }

  async #step(response: ServerResponse): Promise<void> {
    await this.#waitForMove();
    if (this.#ended.signal.aborted) return;
    const head = await this.#head();
    const before = this.#position!;
    if (isBehind(before, head)) {
      const { text, next } = await this.#nextPage(head, before);
      this.#position = next;
      // There may be more, or more by now.
      this.#mayHaveMoved = true;
      await this.#send(response, text);
    } else if (performance.now() - this.#spokenAt >= heartbeatMs) {
      await this.#send(response, this.#bookmark());
    }
  }

  async #head(): Promise<Head> {
    const head = await this.#parts.store.head(this.#request.address);
    if (head === undefined) throw stationNotFound(this.#request.address);
    return head;
  }

  async #nextPage(head: Head, since: HistoryPosition): Promise<StreamPage> {
    const { address, resourceId, acceptLanguage, read } = this.#request;
    const labels = await this.#parts.engine.labels();
    const locale = labels.localeFor(acceptLanguage);
    return this.#parts.pages.read({ address, resourceId, since, head, labels, locale }, read);
  }

  #bookmark(): string {
    const { epoch, number } = this.#position!;
    return renderEvent('revision', this.#position!, { revision: formatRevision({ epoch, number }) });
  }

  #signal(): void {
    this.#mayHaveMoved = true;
    this.#wake?.();
  }

  /** Ends at a signal, and without one when it is time to look. */
  async #waitForMove(): Promise<void> {
    if (!this.#mayHaveMoved) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      const timer = setTimeout(resolve, pollMs);
      await promise;
      clearTimeout(timer);
    }
    // A signal from here on is for the next time.
    this.#mayHaveMoved = false;
  }

  async #send(response: ServerResponse, text: string): Promise<void> {
    if (text === '' || response.destroyed) return;
    this.#spokenAt = performance.now();
    if (response.write(text)) return;
    if (await drained(response, maxStallMs)) return;
    this.#parts.onDropped();
    response.destroy();
  }
}

function isBehind(position: HistoryPosition, head: Head): boolean {
  const isWithin = position.within !== undefined;
  return isWithin || position.epoch !== head.epoch || position.number < head.number;
}

function hasBody(response: ServerResponse): boolean {
  return response.req.method !== 'HEAD';
}

/** Tells why the stream cannot go on, as the problem document that a request would get. */
function endingEvent(error: unknown): string {
  const known = error instanceof RosterError;
  const isOver = known && (error.code === 'revision_expired' || error.code === 'station_not_found');
  const { problem } = problemAnswer(error);
  return `event: ${isOver ? 'expired' : 'failed'}\ndata: ${JSON.stringify(problem)}\n\n`;
}
