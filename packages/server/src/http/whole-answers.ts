import type { ServerResponse } from 'node:http';
import { AnswerMemory } from './answer-memory.ts';
import { httpDate } from './http-date.ts';
import { TurnBatch } from './turn-batch.ts';

export interface AnswerHead {
  readonly status: 200 | 304;
  /** All headers but those that are about the connection; see `headerLines`. */
  readonly lines: string;
}

/** What `writeHead` and the first write leave behind for `end`. Node.js has no public way to give it a head that is ready. */
interface HeadState {
  _header: string;
  _headerSent: boolean;
  /** Whether the connection ends with the response. */
  _last: boolean;
}

const statusLines = { 200: 'HTTP/1.1 200 OK\r\n', 304: 'HTTP/1.1 304 Not Modified\r\n' };
/** In front of each body, for its head. */
const headRoom = 4 * 1024;
/** So many answers wait for each other at most. */
const maxHeld = 32;

export interface WholeAnswersOptions {
  /** How long connections may rest, as clients are told. */
  readonly keepAliveMs: number;
  /** Whether connections shall end with their next answer. */
  readonly isDraining: () => boolean;
}

interface HeldAnswer {
  readonly response: ServerResponse;
  /** Head and body; only a head where it is a string. */
  readonly bytes: Buffer | string;
}

/**
 * Sends answers that are known whole: head and body in one piece, which takes a third less time than in two, and those
 * of one turn of the event loop after each other.
 */
export class WholeAnswers {
  readonly #keepAlive: string;
  readonly #isDraining: () => boolean;
  readonly #held = new TurnBatch<HeldAnswer>((answers) => this.#send(answers));
  /** One for each that is held. */
  readonly #memories = Array.from({ length: maxHeld }, () => new AnswerMemory());
  #taken: Buffer = Buffer.alloc(0);

  constructor({ keepAliveMs, isDraining }: WholeAnswersOptions) {
    this.#isDraining = isDraining;
    this.#keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1000)}\r\n\r\n`;
  }

  /** Memory for a body, to be filled and sent at once. It is good until the next call. */
  readonly take = (size: number): Buffer => {
    this.#taken = this.#memories[this.#held.size]!.take(headRoom + size);
    return this.#taken.subarray(headRoom);
  };

  /** Sends the body that was put into the memory taken last, at the end of this turn. */
  sendTaken(response: ServerResponse, head: AnswerHead): void {
    this.#hold({ response, bytes: this.#inFrontOfTaken(this.#begin(response, head)) });
  }

  sendHead(response: ServerResponse, head: AnswerHead): void {
    this.#hold({ response, bytes: this.#begin(response, head) });
  }

  /** Sends now what would be sent at the end of this turn. */
  finishTurn(): void {
    this.#held.finish();
  }

  #hold(answer: HeldAnswer): void {
    this.#held.add(answer);
    if (this.#held.size === maxHeld) this.finishTurn();
  }

  /** First all bytes, then all else that ends a response: a client that gets them in short order need not sleep in between. */
  #send(answers: readonly HeldAnswer[]): void {
    for (const { response, bytes } of answers) {
      const { socket } = response;
      if (socket?.writable) socket.write(bytes, 'latin1');
      else response.end(bytes, 'latin1');
    }
    for (const [at, { response, bytes }] of answers.entries()) {
      response.end();
      if (typeof bytes !== 'string') this.#memories[at]!.given(response);
    }
  }

  #begin(response: ServerResponse, { status, lines }: AnswerHead): string {
    const state = response as ServerResponse & HeadState;
    const isLast = !state.shouldKeepAlive || this.#isDraining();
    const connection = isLast ? 'Connection: close\r\n\r\n' : this.#keepAlive;
    state.statusCode = status;
    state._header = `${statusLines[status]}${lines}Date: ${httpDate()}\r\n${connection}`;
    state._headerSent = true;
    state._last = isLast;
    return state._header;
  }

  #inFrontOfTaken(head: string): Buffer {
    const start = headRoom - head.length;
    this.#taken.write(head, start, 'latin1');
    return this.#taken.subarray(start);
  }
}
