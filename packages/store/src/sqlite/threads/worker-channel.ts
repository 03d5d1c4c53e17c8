import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { RosterError } from '@roster/contract';
import { storeUnavailable } from '../../shared/store-errors.ts';
import {
  decodeError,
  type Handlers,
  type Output,
  type ReplyMessage,
  type RequestMessage,
} from './answer-requests.ts';

interface Pending {
  onNews?: ((news: never) => void) | undefined;
  resolve(output: unknown): void;
  reject(error: RosterError): void;
}

/**
 * Requests to one worker thread. When the thread ends, all pending and later requests fail with
 * `store_unavailable`.
 */
export class WorkerChannel<H extends Handlers> {
  readonly #newWorker: () => Worker;
  /** By id. A map would carry its old contents along until all garbage is collected. */
  readonly #pending: (Pending | undefined)[] = [];
  readonly #freeIds: number[] = [];
  readonly #exited = Promise.withResolvers<void>();
  #worker: Worker | undefined;
  #ended: RosterError | undefined;

  /** The thread starts at once, or with the first request, at the latest when `startAfter` resolves. */
  constructor(source: URL, workerData: unknown, startAfter?: Promise<void>) {
    this.#newWorker = () => new Worker(sourceOrCompiled(source), { workerData, env: threadEnvironment() });
    if (startAfter) void startAfter.then(() => this.#start());
    else if (!this.#start()) throw this.#ended;
  }

  request<K extends keyof H & string>(kind: K, ...input: Parameters<H[K]>): Promise<Output<H[K]>> {
    return this.#send(kind, input) as Promise<Output<H[K]>>;
  }

  /** `onNews` is called with what the thread tells before it replies. */
  requestWithNews<K extends keyof H & string, News>(
    kind: K,
    onNews: (news: News) => void,
    ...input: Parameters<H[K]>
  ): Promise<Output<H[K]>> {
    return this.#send(kind, input, onNews) as Promise<Output<H[K]>>;
  }

  /** Lets the thread finish its pending requests and end. A thread that has not started never does. */
  async close(): Promise<void> {
    if (!this.#worker) return this.terminate();
    if (!this.#ended) await this.#send('close', []).catch(() => undefined);
    await this.#exited.promise;
  }

  async terminate(): Promise<void> {
    this.#end('has ended');
    await this.#worker?.terminate();
  }

  #send(kind: string, input: unknown[], onNews?: (news: never) => void): Promise<unknown> {
    const worker = this.#start();
    if (!worker) return Promise.reject(this.#ended);
    const id = this.#freeIds.pop() ?? this.#pending.length;
    return new Promise((resolve, reject) => {
      this.#pending[id] = { onNews, resolve, reject };
      worker.postMessage({ id, kind, input } satisfies RequestMessage);
    });
  }

  /** Undefined when the thread has ended or cannot be started. */
  #start(): Worker | undefined {
    if (this.#ended) return undefined;
    if (this.#worker) return this.#worker;
    try {
      this.#worker = this.#newWorker();
    } catch (error) {
      this.#end('could not be started', error);
      return undefined;
    }
    this.#worker.on('message', (reply: ReplyMessage) => this.#settle(reply));
    this.#worker.on('messageerror', (error) => this.#end('sent an unreadable reply', error));
    this.#worker.on('error', (error) => this.#end('ended with an error', error));
    this.#worker.once('exit', () => {
      this.#end('has ended');
      this.#exited.resolve();
    });
    return this.#worker;
  }

  #settle(reply: ReplyMessage): void {
    const pending = this.#pending[reply.id];
    if ('news' in reply) {
      pending?.onNews?.(reply.news as never);
      return;
    }
    this.#pending[reply.id] = undefined;
    this.#freeIds.push(reply.id);
    if ('error' in reply) pending?.reject(decodeError(reply.error));
    else pending?.resolve(reply.output);
  }

  #end(what: string, cause?: unknown): void {
    this.#ended ??= storeUnavailable(`a thread of the store ${what}`, cause);
    for (const pending of this.#pending.splice(0)) pending?.reject(this.#ended);
  }
}

/** The thread's source, or what it was compiled to. */
function sourceOrCompiled(source: URL): URL {
  return import.meta.url.endsWith('.ts') ? source : new URL(source.href.replace(/\.ts$/, '.js'));
}

/** A thread loads in 80 instead of 250 ms with the compile cache, which it does not find by itself. */
function threadEnvironment(): NodeJS.ProcessEnv {
  const ofThisVersion = getCompileCacheDir();
  return ofThisVersion === undefined
    ? process.env
    : { ...process.env, NODE_COMPILE_CACHE: dirname(ofThisVersion) };
}
