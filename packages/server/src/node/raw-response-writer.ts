import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { nodeHttp } from '../http/node-http.ts';
import { announceKeepAlive, type KeepAlive } from './idle-connections.ts';
import { TurnBatch } from './turn-batch.ts';

export interface ResponseHead {
  readonly status: 200 | 304;
  /** All headers but those about the connection; see `headerLines`. */
  readonly lines: string;
}

/** What `writeHead` and the first write set for `end`. Node.js has no public way to pass a finished head. */
interface PrivateFields {
  _header: string | null;
  _headerSent: boolean;
  /** Whether the connection ends with the response. */
  _last: boolean;
}

/** A body of 64 KiB and its head. */
const usualBytes = 68 * 1024;

/** Memory for one response. Most responses go to the kernel at once, and the next one uses the same memory. */
class ResponseMemory {
  #memory = Buffer.allocUnsafeSlow(usualBytes);

  readonly take = (size: number): Buffer =>
    size <= usualBytes ? this.#memory.subarray(0, size) : Buffer.allocUnsafeSlow(size);

  /** Call this after writing the memory: what `response` still holds is not reused. */
  given(response: ServerResponse): void {
    if (response.writableLength > 0) this.#memory = Buffer.allocUnsafeSlow(usualBytes);
  }
}

/** Whether responses have the private fields that this file sets. */
export function hasPrivateFields(): boolean {
  const request = new nodeHttp.IncomingMessage(new Socket());
  const { _header, _headerSent, _last } = new nodeHttp.ServerResponse(request) as ServerResponse &
    Partial<PrivateFields>;
  return _header === null && _headerSent === false && _last === false;
}

const statusLines = { 200: 'HTTP/1.1 200 OK\r\n', 304: 'HTTP/1.1 304 Not Modified\r\n' };
/** Room for the head before each body. */
const headRoom = 4 * 1024;
/** The maximum number of responses that are written together. */
const maxHeld = 32;

export interface RawResponseWriterOptions extends KeepAlive {
  /** Otherwise, each response is written in the public way. */
  readonly usePrivateFields: boolean;
}

interface HeldResponse {
  readonly response: ServerResponse;
  /** Head and body, or a head as a string. */
  readonly bytes: Buffer | string;
}

/**
 * Writes responses with head and body in one piece, which takes a third less time than in two, and those of one turn of
 * the event loop together.
 */
export class RawResponseWriter {
  readonly #options: RawResponseWriterOptions;
  readonly #keepAlive: string;
  readonly #held = new TurnBatch<HeldResponse>((responses) => this.#writeAll(responses));
  /** One for each response that is held. */
  readonly #memories = Array.from({ length: maxHeld }, () => new ResponseMemory());
  #taken: Buffer = Buffer.alloc(0);

  constructor(options: RawResponseWriterOptions) {
    this.#options = options;
    this.#keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(options.keepAliveMs / 1000)}\r\n\r\n`;
  }

  /** Memory for a body to fill and send at once, valid until the next call. */
  readonly take = (size: number): Buffer => {
    this.#taken = this.#memories[this.#held.size]!.take(headRoom + size);
    return this.#taken.subarray(headRoom);
  };

  /** Sends the body in the memory taken last, at the end of this turn. */
  sendTaken(response: ServerResponse, head: ResponseHead): void {
    if (this.#mayWrite(response)) {
      this.#hold({ response, bytes: this.#inFrontOfTaken(this.#begin(response, head)) });
    } else this.#sendPublicly(response, head, Buffer.from(this.#taken.subarray(headRoom)));
  }

  sendHead(response: ServerResponse, head: ResponseHead): void {
    if (this.#mayWrite(response)) this.#hold({ response, bytes: this.#begin(response, head) });
    else this.#sendPublicly(response, head);
  }

  /** Sends now instead of at the end of this turn. */
  finishTurn(): void {
    this.#held.finish();
  }

  /** A response whose connection still sends another one would lose its head. */
  #mayWrite({ socket }: ServerResponse): boolean {
    return this.#options.usePrivateFields && socket !== null;
  }

  #hold(held: HeldResponse): void {
    this.#held.add(held);
    if (this.#held.size === maxHeld) this.finishTurn();
  }

  /** Writes all bytes before it ends any response. */
  #writeAll(responses: readonly HeldResponse[]): void {
    for (const { response, bytes } of responses) {
      // Without a connection, the client has left.
      if (response.socket?.writable) response.socket.write(bytes, 'latin1');
    }
    for (const [at, { response, bytes }] of responses.entries()) {
      response.end();
      if (typeof bytes !== 'string') this.#memories[at]!.given(response);
    }
  }

  #begin(response: ServerResponse, { status, lines }: ResponseHead): string {
    const fields = response as ServerResponse & PrivateFields;
    const isLast = !response.shouldKeepAlive || this.#options.isDraining();
    const connection = isLast ? 'Connection: close\r\n\r\n' : this.#keepAlive;
    const head = `${statusLines[status]}${lines}Date: ${httpDate()}\r\n${connection}`;
    response.statusCode = status;
    fields._header = head;
    fields._headerSent = true;
    fields._last = isLast;
    return head;
  }

  #inFrontOfTaken(head: string): Buffer {
    const start = headRoom - head.length;
    this.#taken.write(head, start, 'latin1');
    return this.#taken.subarray(start);
  }

  #sendPublicly(response: ServerResponse, { status, lines }: ResponseHead, body?: Buffer): void {
    announceKeepAlive(response, this.#options);
    for (const line of lines.trimEnd().split('\r\n')) {
      const at = line.indexOf(':');
      response.appendHeader(line.slice(0, at), line.slice(at + 1).trim());
    }
    response.writeHead(status).end(body);
  }
}

let date: string | undefined;

/** The value of `Date`, made once a second. */
function httpDate(): string {
  if (date === undefined) {
    const now = Date.now();
    date = new Date(now).toUTCString();
    setTimeout(
      () => {
        date = undefined;
      },
      1000 - (now % 1000),
    ).unref();
  }
  return date;
}
