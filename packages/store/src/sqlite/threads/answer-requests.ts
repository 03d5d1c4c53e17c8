import { parentPort } from 'node:worker_threads';
import { type ErrorCode, RosterError } from '@roster/contract';
import { translateError } from '../database/translate-error.ts';

/** What a thread does, by kind of request. Its type is all that the main thread knows of it. */
export type Handlers = Record<string, (...input: never[]) => unknown>;

/** What the requester of a handler gets. */
export type Output<H extends Handlers[string]> =
  Awaited<ReturnType<H>> extends Moved<infer T> ? T : Awaited<ReturnType<H>>;

/** An output with buffers that are moved to the other thread, not copied. */
export class Moved<T> {
  readonly output: T;
  readonly buffers: ArrayBuffer[];

  constructor(output: T, buffers: ArrayBuffer[]) {
    this.output = output;
    this.buffers = buffers;
  }
}

export interface RequestMessage {
  readonly id: number;
  readonly kind: string;
  readonly input: unknown[];
}

export type ReplyMessage =
  | { readonly id: number; readonly output: unknown }
  | { readonly id: number; readonly news: unknown }
  | { readonly id: number; readonly error: ErrorMessage };

interface AnswerOptions<H extends Handlers> {
  readonly directory: string;
  readonly handlers: H;
  /** Runs before a successful reply is sent. */
  readonly beforeReply?: (kind: keyof H) => void;
  /** Runs after a reply has been sent, when nobody waits. */
  readonly afterReply?: (kind: keyof H) => void;
}

/** Sends news to whoever made the request that is being answered. */
type Tell = (news: unknown) => void;

/** The thread's side of a `WorkerChannel`. The thread ends after answering `close`. */
export function answerRequests<H extends Handlers>(options: AnswerOptions<H>): Tell {
  const port = parentPort!;
  let answering = -1;
  port.on('message', async ({ id, kind, input }: RequestMessage) => {
    const reply = (message: ReplyMessage, buffers: ArrayBuffer[] = []) => port.postMessage(message, buffers);
    answering = id;
    try {
      const answered = options.handlers[kind]!(...(input as never[]));
      options.beforeReply?.(kind);
      if (answered instanceof Moved) reply({ id, output: answered.output }, answered.buffers);
      else reply({ id, output: answered instanceof Promise ? await answered : answered });
    } catch (error) {
      reply({ id, error: encodeError(translateError(error, options.directory)) });
    }
    if (kind === 'close') port.close();
    else options.afterReply?.(kind);
  });
  return (news) => port.postMessage({ id: answering, news } satisfies ReplyMessage);
}

type ErrorMessage = Pick<RosterError, 'message' | 'parameter' | 'extensions' | 'cause'> & { code: ErrorCode };

/** Errors lose their class between threads, so a `RosterError` is sent as its fields. */
export function encodeError({ code, message, parameter, extensions, cause }: RosterError): ErrorMessage {
  return { code, message, parameter, extensions, cause };
}

export function decodeError({ code, message, ...details }: ErrorMessage): RosterError {
  const given = Object.entries(details).filter(([, value]) => value !== undefined);
  return new RosterError(code, message, Object.fromEntries(given));
}
