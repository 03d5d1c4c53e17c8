import type { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import {
  formatRevision,
  type HistoryPosition,
  RosterError,
  type SearchFilters,
  type StationAddress,
  stationKey,
  stationNotFound,
} from '@roster/contract';
import type { Engine, Head, Store } from '@roster/engine';
import { problemAnswer } from '../../http/problem.ts';
import { drained } from '../../node/drained.ts';
import type { HeavyRead } from '../../pipeline/shedding/heavy-reads.ts';
import { renderEvent, type StreamPage, type StreamPages } from './stream-pages.ts';

export interface StreamRequest {
  readonly address: StationAddress;
  /** Undefined begins now. */
  readonly since: HistoryPosition | undefined;
  readonly resourceId: string | undefined;
  readonly filters: SearchFilters | undefined;
  readonly acceptLanguage: string | undefined;
  readonly read: HeavyRead;
}

export interface StreamParts {
  readonly store: Store;
  readonly engine: Engine;
  /** Emits the key of a station when it may have changed. */
  readonly signals: EventEmitter;
  readonly pages: StreamPages;
  /** Called when the client is too slow. */
  readonly onDropped: () => void;
}

/** How often an idle stream sends its position as a heartbeat. */
const heartbeatMs = 15_000;
/** Signals are hints, so a stream also looks for itself. */
const pollMs = 1_000;
/** A client that takes nothing for this long is dropped; it can resume where it was. */
const maxStallMs = 60_000;

const headers = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // Keeps proxies from buffering events.
  'X-Accel-Buffering': 'no',
};

/**
 * Sends the changes of one station to one client. It reads on only when the client has taken what was sent: a slow
 * client falls behind but costs no memory.
 */
export class ChangeStream {
  readonly #request: StreamRequest;
  readonly #parts: StreamParts;
  readonly #ended = new AbortController();
  #position: HistoryPosition | undefined;
  #wake: (() => void) | undefined;
  #mayHaveMoved = true;
  #sentAtMs = 0;

  constructor(request: StreamRequest, parts: StreamParts) {
    this.#request = request;
    this.#parts = parts;
    this.#position = request.since;
  }

  /** Reads what can be sent at once. Throws if there can be no stream. */
  async open(): Promise<StreamPage> {
    const head = await this.#head();
    this.#position ??= head;
    const page = await this.#nextPage(head, this.#position);
    this.#position = page.next;
    return page;
  }

  /** Sends until the client leaves, the station is deleted or the server stops. */
  async run(response: ServerResponse, first: StreamPage): Promise<void> {
    const key = stationKey(this.#request.address);
    this.#parts.signals.on(key, this.#signal);
    response.once('close', () => this.end());
    response.writeHead(200, headers);
    response.flushHeaders();
    if (response.req.method === 'HEAD') this.end();
    try {
      await this.#send(response, first.text + this.#bookmark());
      while (!this.#ended.signal.aborted) await this.#step(response);
    } catch (error) {
      if (!this.#ended.signal.aborted) response.write(endingEvent(error));
    } finally {
      this.#parts.signals.off(key, this.#signal);
      response.end();
    }
  }

  /** Makes `run` return. */
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
      // There may be more.
      this.#mayHaveMoved = true;
      await this.#send(response, text);
    } else if (performance.now() - this.#sentAtMs >= heartbeatMs) {
      await this.#send(response, this.#bookmark());
    }
  }

  async #head(): Promise<Head> {
    const head = await this.#parts.store.head(this.#request.address);
    if (head === undefined) throw stationNotFound(this.#request.address);
    return head;
  }

  async #nextPage(head: Head, since: HistoryPosition): Promise<StreamPage> {
    const { address, resourceId, filters, acceptLanguage, read } = this.#request;
    const labels = await this.#parts.engine.labels();
    const locale = labels.localeFor(acceptLanguage);
    return this.#parts.pages.read({ address, resourceId, filters, since, head, labels, locale }, read);
  }

  #bookmark(): string {
    const { epoch, number } = this.#position!;
    return renderEvent('revision', this.#position!, { revision: formatRevision({ epoch, number }) });
  }

  readonly #signal = (): void => {
    this.#mayHaveMoved = true;
    this.#wake?.();
  };

  /** Resolves at a signal, or when it is time to poll. */
  async #waitForMove(): Promise<void> {
    if (!this.#mayHaveMoved) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      const timer = setTimeout(resolve, pollMs);
      await promise;
      clearTimeout(timer);
    }
    this.#mayHaveMoved = false;
  }

  async #send(response: ServerResponse, text: string): Promise<void> {
    if (text === '' || response.destroyed) return;
    this.#sentAtMs = performance.now();
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

/** The problem document that says why the stream ends. */
function endingEvent(error: unknown): string {
  const known = error instanceof RosterError;
  const isOver = known && (error.code === 'revision_expired' || error.code === 'station_not_found');
  const { problem } = problemAnswer(error);
  return `event: ${isOver ? 'expired' : 'failed'}\ndata: ${JSON.stringify(problem)}\n\n`;
}
