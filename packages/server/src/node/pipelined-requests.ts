import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressKey } from '../quotas/address-key.ts';
import { Shares } from '../quotas/shares.ts';
import { responseUnderWay, setResponseUnderWay } from './response-under-way.ts';
import { stopParsing } from './stop-parsing.ts';

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The requests of one connection that wait for those before them. */
interface Queue {
  readonly owner: string;
  readonly waiting: Waiting[];
  readonly socket: Socket;
  /** Whether the end of the response under way starts the next one. */
  isMoving: boolean;
  /** Whether the response under way was already there at the last look. */
  isSlow: boolean;
  /** Whether reading goes on once the client has taken its answers. */
  isResumeDue: boolean;
}

/** The maximum queue of a connection during a slow request. */
const maxSlow = 64;
const lookMs = 1_000;

/** How many requests may be queued on all connections together; each takes 2 to 3 KB. */
const maxQueued = 8_192;

/**
 * Serves the requests of a connection one after the other; Node.js would handle all of them at once. While requests are
 * queued, nothing more is read, so a connection holds no more than arrived in one packet. If all queues together become
 * too long, the longest is closed. During a slow request, reading goes on, to notice a client that leaves.
 */
export class PipelinedRequests {
  readonly #serve: RequestListener;
  readonly #serveQueued: RequestListener;
  readonly #queues = new WeakMap<Socket, Queue>();
  readonly #shares = new Shares(maxQueued);
  readonly #moving = new Set<Queue>();
  #timer: NodeJS.Timeout | undefined;
  /** The last request of connections that accept no more; null after it was handled. */
  readonly #last = new WeakMap<Socket, IncomingMessage | null>();

  /** `serveQueued` is called with requests that had to wait for others on their connection. */
  constructor(serve: RequestListener, serveQueued = serve) {
    this.#serve = serve;
    this.#serveQueued = serveQueued;
  }

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    const last = this.#last.get(request.socket);
    if (last === request) response.shouldKeepAlive = false;
    else if (last !== undefined) return;
    // A response has no connection while another one is being sent. Behind one that has ended but is not closed,
    // queued requests come first.
    const isBehind = response.socket === null || this.#queues.get(request.socket)?.isMoving === true;
    if (isBehind) this.#queue({ request, response });
    else {
      setResponseUnderWay(request.socket, response);
      this.#serve(request, response);
    }
  };

  /** Makes a request, before it is handled, the last of its connection. */
  makeLast(request: IncomingMessage): void {
    if (!this.#last.has(request.socket)) this.#last.set(request.socket, request);
  }

  /** Accepts no more requests from a connection. Earlier ones are still served. */
  finish(socket: Socket): void {
    if (this.#last.get(socket) === null) return;
    this.#last.set(socket, null);
    stopParsing(socket);
  }

  #queue(waiting: Waiting): void {
    const { socket } = waiting.request;
    if (socket.destroyed) return;
    const queue = this.#queues.get(socket) ?? this.#open(socket);
    queue.waiting.push(waiting);
    if (!queue.isMoving) this.#startMoving(queue);
    pauseIfFull(queue);
    // The first does not count: clients that do not pipeline may send it just before an answer has ended.
    if (queue.waiting.length > 1) this.#shares.hold(queue.owner);
    if (this.#shares.isOwnerOver(queue.owner)) this.#closeLongest(queue.owner);
    else if (this.#shares.isOver) this.#closeLongest(this.#shares.largest()!);
  }

  #closeLongest(owner: string): void {
    let longest: Queue | undefined;
    for (const queue of this.#moving) {
      if (queue.owner !== owner || queue.socket.destroyed) continue;
      if (longest === undefined || queue.waiting.length > longest.waiting.length) longest = queue;
    }
    if (longest === undefined) return;
    // At once, or the next request of this packet would close one more.
    this.#forget(longest);
    destroyAtOnce(longest.socket);
  }

  #forget(queue: Queue): void {
    if (queue.waiting.length > 1) this.#shares.release(queue.owner, queue.waiting.length - 1);
    queue.waiting.length = 0;
    this.#moving.delete(queue);
  }

  #open(socket: Socket): Queue {
    const owner = addressKey(socket.remoteAddress ?? '');
    const queue: Queue = { owner, socket, waiting: [], isMoving: false, isSlow: false, isResumeDue: false };
    this.#queues.set(socket, queue);
    // Node.js resumes it for every request that it has parsed.
    socket.on('resume', () => pauseIfFull(queue));
    socket.once('close', () => this.#forget(queue));
    return queue;
  }

  #startMoving(queue: Queue): void {
    queue.isMoving = true;
    this.#moving.add(queue);
    this.#timer ??= setInterval(() => this.#look(), lookMs).unref();
    responseUnderWay(queue.socket)!.once('close', () => this.#next(queue));
  }

  #next(queue: Queue): void {
    if (hasEnded(queue.socket)) return;
    queue.isSlow = false;
    const next = queue.waiting.shift();
    if (next === undefined) {
      queue.isMoving = false;
      this.#moving.delete(queue);
      return;
    }
    if (queue.waiting.length > 0) this.#shares.release(queue.owner);
    setResponseUnderWay(queue.socket, next.response);
    next.response.once('close', () => this.#next(queue));
    // One in each turn of the event loop, so that other connections do not wait for a whole pipeline.
    setImmediate(() => this.#serveNext(queue, next));
  }

  #serveNext(queue: Queue, { request, response }: Waiting): void {
    if (hasEnded(queue.socket)) return;
    this.#serveQueued(request, response);
    if (queue.waiting.length === 0) resume(queue);
  }

  #look(): void {
    for (const queue of this.#moving) {
      if (queue.isSlow) resume(queue);
      queue.isSlow = true;
    }
    if (this.#moving.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** Whether the last answer was sent. Later requests must not be executed. */
function hasEnded({ destroyed, writableEnded }: Socket): boolean {
  return destroyed || writableEnded;
}

function pauseIfFull({ socket, waiting, isSlow }: Queue): void {
  if (waiting.length > (isSlow ? maxSlow : 0)) socket.pause();
}

/** Node.js pauses its parser until the client has read its answers, and must get no data before. */
function resume(queue: Queue): void {
  const { socket } = queue;
  if (!socket.writableNeedDrain) socket.resume();
  else if (!queue.isResumeDue) {
    queue.isResumeDue = true;
    socket.once('drain', () => {
      queue.isResumeDue = false;
      socket.resume();
    });
  }
}

/**
 * Destroys a connection and frees its parsed requests right after its packet. Node.js would do so at the end of this
 * turn of the event loop, after it has parsed as much from hundreds of other connections.
 */
function destroyAtOnce(socket: Socket): void {
  socket.destroy();
  process.nextTick(() => {
    // Node.js makes two errors for each request; their stacks would take most of the time and memory.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    socket.emit('close');
    Error.stackTraceLimit = stackTraceLimit;
  });
}
