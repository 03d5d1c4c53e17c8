import type { IncomingMessage } from 'node:http';

export interface Pace {
  readonly windowMs: number;
  /** What must arrive in each window. */
  readonly minBytes: number;
  /** How often to look. */
  readonly checkMs: number;
}

interface Watched {
  bytesAtStart: number;
  waitedMs: number;
}

/**
 * Finds bodies that trickle in. A body may take as long as it likes as long as it makes progress, and time in
 * which the server is the one that does not read counts for nothing.
 */
export class BodyPaces {
  readonly #pace: Pace;
  readonly #onTooSlow: (request: IncomingMessage) => void;
  readonly #bodies = new Map<IncomingMessage, Watched>();
  #timer: NodeJS.Timeout | undefined;

  constructor(pace: Pace, onTooSlow: (request: IncomingMessage) => void) {
    this.#pace = pace;
    this.#onTooSlow = onTooSlow;
  }

  /** Watches the body of a request, if it has one, until it is complete or its connection is gone. */
  watch(request: IncomingMessage): void {
    const { headers, socket } = request;
    const length = headers['content-length'];
    if (headers['transfer-encoding'] === undefined && (length === undefined || length === '0')) return;
    this.#bodies.set(request, { bytesAtStart: socket.bytesRead, waitedMs: 0 });
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#check(), this.#pace.checkMs).unref();
  }

  #check(): void {
    for (const [request, body] of this.#bodies) {
      if (request.complete || request.socket.destroyed) this.#bodies.delete(request);
      else if (request.readableLength === 0) this.#count(request, body);
    }
    if (this.#bodies.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Counts checks and not the clock: while the event loop is late, nobody can tell who is slow. */
  #count(request: IncomingMessage, body: Watched): void {
    body.waitedMs += this.#pace.checkMs;
    if (body.waitedMs < this.#pace.windowMs) return;
    const { bytesRead } = request.socket;
    if (bytesRead - body.bytesAtStart < this.#pace.minBytes) {
      this.#bodies.delete(request);
      this.#onTooSlow(request);
    } else Object.assign(body, { bytesAtStart: bytesRead, waitedMs: 0 });
  }
}
