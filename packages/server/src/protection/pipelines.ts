import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { responseUnderWay } from '../http/client-error.ts';

interface Turn {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** With more than these, nothing is read from a connection any more. */
const maxQueued = 64;

/**
 * Lets the requests of a connection be handled one after the other. A client may send many without reading a single
 * answer, and Node.js would have all of them made at once and hold them in memory.
 */
export class Pipelines {
  readonly #serve: RequestListener;
  readonly #serveQueued: RequestListener;
  readonly #queues = new WeakMap<Socket, Turn[]>();

  /** `serveQueued` gets those that had to wait for others on their connection. */
  constructor(serve: RequestListener, serveQueued = serve) {
    this.#serve = serve;
    this.#serveQueued = serveQueued;
  }

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    // A response has no connection yet while another one is being sent on it.
    if (response.socket !== null) this.#serve(request, response);
    else this.#queue({ request, response });
  };

  #queue(turn: Turn): void {
    const { socket } = turn.request;
    const queue = this.#queues.get(socket);
    if (queue === undefined) {
      this.#queues.set(socket, [turn]);
      responseUnderWay(socket)?.once('close', () => this.#next(socket));
    } else if (queue.push(turn) > maxQueued) socket.pause();
  }

  #next(socket: Socket): void {
    const queue = this.#queues.get(socket)!;
    const turn = queue.shift();
    if (turn === undefined || socket.destroyed) {
      this.#queues.delete(socket);
      return;
    }
    if (queue.length < maxQueued) socket.resume();
    turn.response.once('close', () => this.#next(socket));
    this.#serveQueued(turn.request, turn.response);
  }
}
