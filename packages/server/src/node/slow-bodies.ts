import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { hasBody } from './gather-body.ts';

export interface BodyTimes {
  /** `minBytes` must arrive in each window. */
  readonly body: { readonly windowMs: number; readonly minBytes: number; readonly checkMs: number };
  /** How much of a body is still read after its answer: a client may send everything before it reads. */
  readonly refusedRest: { readonly maxMs: number; readonly maxBytes: number };
}

interface Watched {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  bytesAtStart: number;
  waitedMs: number;
  isAnswered: boolean;
}

/**
 * Finds bodies that trickle in. A body may take any time while it makes progress; time in which the server does not
 * read does not count. After its answer, the connection is closed unless the body ends soon.
 */
export class SlowBodies {
  readonly #pace: BodyTimes['body'];
  readonly #rest: BodyTimes['refusedRest'];
  readonly #onTooSlow: (request: IncomingMessage) => void;
  /** The last body of each connection: those before it are complete, and would keep their requests in memory. */
  readonly #bodies = new Map<Socket, Watched>();
  #timer: NodeJS.Timeout | undefined;

  constructor({ body, refusedRest }: BodyTimes, onTooSlow: (request: IncomingMessage) => void) {
    this.#pace = body;
    this.#rest = refusedRest;
    this.#onTooSlow = onTooSlow;
  }

  /** How many bodies are watched. */
  get size(): number {
    return this.#bodies.size;
  }

  /** Watches the body of a request, if it has one, until it is complete or its connection is gone. */
  watch(request: IncomingMessage, response: ServerResponse): void {
    if (!hasBody(request)) return;
    const { socket } = request;
    const bytesAtStart = socket.bytesRead;
    this.#bodies.set(socket, { request, response, bytesAtStart, waitedMs: 0, isAnswered: false });
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#check(), this.#pace.checkMs).unref();
  }

  #check(): void {
    for (const [socket, body] of this.#bodies) {
      const { request, response } = body;
      if (request.complete || socket.destroyed) this.#bodies.delete(socket);
      else if (response.writableFinished) this.#countRest(body);
      else if (request.readableLength === 0) this.#count(body);
    }
    if (this.#bodies.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #countRest(body: Watched): void {
    const { socket } = body.request;
    const { bytesRead } = socket;
    if (!body.isAnswered) Object.assign(body, { isAnswered: true, bytesAtStart: bytesRead, waitedMs: 0 });
    body.waitedMs += this.#pace.checkMs;
    const { maxMs, maxBytes } = this.#rest;
    if (body.waitedMs >= maxMs || bytesRead - body.bytesAtStart > maxBytes) socket.destroy();
  }

  /** Counts checks, not the clock: while the event loop is late, the client may not be the slow one. */
  #count(body: Watched): void {
    body.waitedMs += this.#pace.checkMs;
    if (body.waitedMs < this.#pace.windowMs) return;
    const { request } = body;
    const { bytesRead } = request.socket;
    if (bytesRead - body.bytesAtStart < this.#pace.minBytes) {
      this.#bodies.delete(request.socket);
      this.#onTooSlow(request);
    } else Object.assign(body, { bytesAtStart: bytesRead, waitedMs: 0 });
  }
}
