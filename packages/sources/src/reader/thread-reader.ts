import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { TimeSlicer } from '@roster/engine';
import type { AlertmanagerAnswer } from '../alertmanager/read-alerts.ts';
import type { Endpoint } from '../config/source.ts';
import type { Labels } from '../http/shape.ts';
import { SourceFailure } from '../http/source-failure.ts';
import type { Rules } from '../prometheus/read-rules.ts';
import type { SeriesQuestion } from '../prometheus/read-series.ts';
import { packings } from './packed-answer.ts';
import type { Question, ReaderMessage, Reply } from './reader-thread.ts';
import type { SourceReader } from './source-reader.ts';

const resourceLimits = {
  /** An answer that needs more ends the thread, as a rule before it can end the server. */
  maxOldGenerationSizeMb: 1024,
  /** With 20 000 alerts, this takes 50 MiB less than the default, and no longer. */
  maxYoungGenerationSizeMb: 4,
};

interface KnownAnswer {
  readonly id: number;
  readonly slices: readonly (readonly unknown[])[];
}

interface Asked {
  readonly kind: Question['kind'];
  readonly input: readonly unknown[];
  /** What is asked again and again: only what has changed since the last answer comes over. */
  readonly topic?: string;
}

/**
 * Asks on a thread of its own, because parsing an answer of several megabytes would stop all requests meanwhile. What
 * is found there comes over in slices.
 */
export class ThreadReader implements SourceReader {
  readonly #pending = new Map<number, (reply: Reply) => void>();
  /** By topic. */
  readonly #known = new Map<string, KnownAnswer>();
  #worker: Worker | undefined;
  #nextId = 1;

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
    await this.#worker?.terminate();
  }

  async #ask<Answer>({ kind, input, topic }: Asked, signal: AbortSignal | undefined): Promise<Answer> {
    if (signal?.aborted) throw new SourceFailure('was not asked to the end');
    const { port1: port, port2 } = new MessageChannel();
    try {
      const id = this.#nextId++;
      const known = topic === undefined ? undefined : this.#known.get(topic);
      const question: Question = { id, kind, input, topic, knownId: known?.id, port: port2 };
      const cancel = () => this.#worker?.postMessage({ cancel: id } satisfies ReaderMessage);
      signal?.addEventListener('abort', cancel, { once: true });
      const reply = await new Promise<Reply>((resolve) => {
        this.#pending.set(id, resolve);
        this.#started().postMessage(question, [port2]);
      });
      signal?.removeEventListener('abort', cancel);
      if ('failure' in reply) throw new SourceFailure(reply.failure);
      if ('error' in reply) throw reply.error;
      const slices = await takeSlices(port, known);
      if (topic !== undefined) this.#known.set(topic, { id, slices });
      const unpack: (packed: never) => unknown = packings[kind].unpack;
      return unpack({ items: slices.flat(), rest: reply.rest } as never) as Answer;
    } finally {
      port.close();
    }
  }

  #started(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(threadFile(), { resourceLimits });
    worker.unref();
    worker.on('message', (reply: Reply) => {
      this.#pending.get(reply.id)?.(reply);
      this.#pending.delete(reply.id);
    });
    // The exit follows, and is handled there.
    worker.on('error', () => undefined);
    worker.once('exit', () => this.#ended());
    this.#worker = worker;
    return worker;
  }

  #ended(): void {
    this.#worker = undefined;
    this.#known.clear();
    const failure = 'could not be read: its answer took too much memory, or the reader was stopped';
    for (const [id, resolve] of this.#pending) resolve({ id, failure });
    this.#pending.clear();
  }
}

/** All are there already: the port is only read as fast as time allows. */
async function takeSlices(
  port: MessagePort,
  known: KnownAnswer | undefined,
): Promise<(readonly unknown[])[]> {
  const slices: (readonly unknown[])[] = [];
  const slicer = new TimeSlicer();
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
