import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { AlertmanagerAnswer } from '../alertmanager/read-alerts.ts';
import { backgroundSlicer } from '../background-slicer.ts';
import type { Endpoint } from '../config/source.ts';
import type { Labels } from '../http/shape.ts';
import { SourceFailure } from '../http/source-failure.ts';
import type { Rules } from '../prometheus/read-rules.ts';
import type { SeriesQuestion } from '../prometheus/read-series.ts';
import { HeldThread } from './held-thread.ts';
import { packings } from './packed-answer.ts';
import type { Question, ReaderMessage, Reply } from './reader-thread.ts';
import type { SourceReader } from './source-reader.ts';

/** An answer that needs more ends the thread, as a rule before it can end the server. */
const defaultMemoryMb = 1024;
/** With 20 000 alerts, this takes 50 MiB less than the default, and no longer. */
const youngMemoryMb = 4;
/** What a question may take longer than its time limit before its thread is ended, and how often that is checked. */
const overtimeMs = 500;
/** A question whose thread is ended because of others is asked again. */
const maxAttempts = 3;

interface KnownAnswer {
  readonly id: number;
  readonly slices: readonly (readonly unknown[])[];
}

interface Asked {
  readonly kind: Question['kind'];
  readonly input: Question['input'];
  /** What is asked again and again: only what has changed since the last answer comes over. */
  readonly topic?: string;
}

interface Thread {
  readonly worker: Worker;
  readonly held: HeldThread;
}

/** Undefined if the thread was ended because of another question. */
type Outcome = Reply | undefined;

/**
 * Asks on a thread of its own, because parsing an answer of several megabytes would stop all requests meanwhile. What
 * is found there comes over in slices. A question that holds the thread for too long, or takes too much memory, ends
 * it and fails; all others are asked again on another thread.
 */
export class ThreadReader implements SourceReader {
  readonly #memoryMb: number;
  readonly #pending = new Map<number, (outcome: Outcome) => void>();
  /** By topic. */
  readonly #known = new Map<string, KnownAnswer>();
  #thread: Thread | undefined;
  #nextId = 1;

  constructor(memoryMb = defaultMemoryMb) {
    this.#memoryMb = memoryMb;
  }

  rules(endpoint: Endpoint, signal?: AbortSignal): Promise<Rules> {
    return this.#ask({ kind: 'rules', input: [endpoint], topic: `rules ${endpoint.url}` }, signal);
  }

  alertmanager(endpoint: Endpoint, signal?: AbortSignal): Promise<AlertmanagerAnswer> {
    return this.#ask({ kind: 'alertmanager', input: [endpoint], topic: `alerts ${endpoint.url}` }, signal);
  }

  targets(endpoint: Endpoint, signal?: AbortSignal): Promise<readonly Labels[]> {
    return this.#ask({ kind: 'targets', input: [endpoint], topic: `targets ${endpoint.url}` }, signal);
  }

  series(
    endpoint: Endpoint,
    question: SeriesQuestion,
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly Labels[]>> {
    return this.#ask({ kind: 'series', input: [endpoint, question] }, signal);
  }

  /** It starts again with the next question. */
  async close(): Promise<void> {
    if (this.#thread !== undefined)
      await this.#end((id) => ({ id, failure: 'could not be read: the reader was stopped' }));
  }

  async #ask<Answer>(asked: Asked, signal: AbortSignal | undefined): Promise<Answer> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      if (signal?.aborted) throw new SourceFailure(notAsked);
      const answered = await this.#askOnce(asked, signal);
      if (answered !== undefined) return answered.answer as Answer;
    }
    throw new SourceFailure('could not be read: answers of other sources took too much time or memory');
  }

  async #askOnce({ kind, input, topic }: Asked, signal: AbortSignal | undefined) {
    const { port1: port, port2 } = new MessageChannel();
    try {
      const id = this.#nextId++;
      const known = topic === undefined ? undefined : this.#known.get(topic);
      const question: Question = { id, kind, input, topic, knownId: known?.id, port: port2 };
      const reply = await this.#send(question, signal);
      if (reply === undefined) return undefined;
      if ('failure' in reply) throw new SourceFailure(reply.failure);
      if ('error' in reply) throw reply.error;
      const slices = await takeSlices(port, known);
      if (topic !== undefined) this.#known.set(topic, { id, slices });
      const unpack: (packed: never) => unknown = packings[kind].unpack;
      return { answer: unpack({ items: slices.flat(), rest: reply.rest } as never) };
    } finally {
      port.close();
    }
  }

  async #send(question: Question, signal: AbortSignal | undefined): Promise<Outcome> {
    const { id, port, input } = question;
    const thread = this.#started();
    const cancel = () => {
      thread.worker.postMessage({ cancel: id } satisfies ReaderMessage);
      this.#settle(id, { id, failure: notAsked });
    };
    const watch = this.#watch(id, thread, input[0].timeoutMs);
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      return await new Promise<Outcome>((resolve) => {
        this.#pending.set(id, resolve);
        thread.worker.postMessage(question, [port]);
      });
    } finally {
      signal?.removeEventListener('abort', cancel);
      clearInterval(watch);
    }
  }

  /** Waiting for a server ends by itself on the thread; parsing does not. Only the time in which it parses counts. */
  #watch(id: number, { held }: Thread, timeoutMs: number): NodeJS.Timeout {
    let heldSinceMs: number | undefined;
    return setInterval(() => {
      heldSinceMs = held.holder === id ? (heldSinceMs ?? performance.now()) : undefined;
      if (heldSinceMs === undefined || performance.now() - heldSinceMs < timeoutMs) return;
      const failure = `answered, but its answer could not be read within ${timeoutMs / 1000} s`;
      void this.#end((each) => (each === id ? { id, failure } : undefined));
    }, overtimeMs).unref();
  }

  #started(): Thread {
    if (this.#thread !== undefined) return this.#thread;
    const held = new HeldThread();
    const worker = new Worker(threadFile(), {
      workerData: held.memory,
      resourceLimits: { maxOldGenerationSizeMb: this.#memoryMb, maxYoungGenerationSizeMb: youngMemoryMb },
    });
    worker.unref();
    worker.on('message', (reply: Reply) => this.#settle(reply.id, reply));
    let error: NodeJS.ErrnoException | undefined;
    // The exit follows, and is handled there.
    worker.on('error', (thrown) => {
      error = thrown as NodeJS.ErrnoException;
    });
    worker.once('exit', () => {
      if (this.#thread?.worker !== worker) return;
      if (error !== undefined && error.code !== 'ERR_WORKER_OUT_OF_MEMORY') {
        void this.#end((id) => ({ id, error }));
        return;
      }
      const { holder } = held;
      const isBlamed = (id: number) => id === holder || !this.#pending.has(holder);
      const failure = 'could not be read: its answer took too much memory';
      void this.#end((id) => (isBlamed(id) ? { id, failure } : undefined));
    });
    this.#thread = { worker, held };
    return this.#thread;
  }

  /** Questions without an outcome are asked again. */
  async #end(outcomeOf: (id: number) => Outcome): Promise<void> {
    const { worker } = this.#thread!;
    this.#thread = undefined;
    this.#known.clear();
    const outcomes = [...this.#pending.keys()].map((id) => [id, outcomeOf(id)] as const);
    for (const [id, outcome] of outcomes) this.#settle(id, outcome);
    await worker.terminate();
  }

  #settle(id: number, outcome: Outcome): void {
    this.#pending.get(id)?.(outcome);
    this.#pending.delete(id);
  }
}

const notAsked = 'was interrupted';

/** All are there already: the port is only read as fast as time allows. */
async function takeSlices(
  port: MessagePort,
  known: KnownAnswer | undefined,
): Promise<(readonly unknown[])[]> {
  const slices: (readonly unknown[])[] = [];
  const slicer = backgroundSlicer();
  for (let taken = receiveMessageOnPort(port); taken !== undefined; taken = receiveMessageOnPort(port)) {
    const text: string | null = taken.message;
    slices.push(text === null ? known!.slices[slices.length]! : JSON.parse(text));
    if (slicer.isDue) await slicer.pause();
  }
  return slices;
}

/** The source of the thread, or what it was compiled to. */
function threadFile(): URL {
  return new URL(`./reader-thread.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);
}
