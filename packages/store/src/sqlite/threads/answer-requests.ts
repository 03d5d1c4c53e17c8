import { parentPort } from 'node:worker_threads';
import { translateError } from '../database/translate-error.ts';
import { encodeError, type ReplyMessage, type RequestMessage, type Requests } from './thread-messages.ts';

/** An output with buffers that are moved to the other thread, not copied. */
export class Moved<T> {
  readonly output: T;
  readonly buffers: ArrayBuffer[];

  constructor(output: T, buffers: ArrayBuffer[]) {
    this.output = output;
    this.buffers = buffers;
  }
}

type Handlers<R extends Requests> = {
  [K in keyof R]: (input: R[K]['input']) => R[K]['output'] | Moved<R[K]['output']> | Promise<R[K]['output']>;
};

interface AnswerOptions<R extends Requests> {
  readonly directory: string;
  readonly handlers: Handlers<R>;
  /** Runs before a successful reply is sent. */
  readonly beforeReply?: (kind: keyof R) => void;
  /** Runs after a reply has been sent, when nobody waits. */
  readonly afterReply?: (kind: keyof R) => void;
}

/** The thread's side of a `WorkerChannel`. The thread ends after answering `close`. */
export function answerRequests<R extends Requests>(options: AnswerOptions<R>): void {
  const port = parentPort!;
  port.on('message', async ({ id, kind, input }: RequestMessage) => {
    const reply = (message: ReplyMessage, buffers: ArrayBuffer[] = []) => port.postMessage(message, buffers);
    try {
      const answered = options.handlers[kind]!(input);
      options.beforeReply?.(kind);
      if (answered instanceof Moved) reply({ id, output: answered.output }, answered.buffers);
      else reply({ id, output: answered instanceof Promise ? await answered : answered });
    } catch (error) {
      reply({ id, error: encodeError(translateError(error, options.directory)) });
    }
    if (kind === 'close') port.close();
    else options.afterReply?.(kind);
  });
}
