import os from 'node:os';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { readAlertmanager } from '../alertmanager/read-alerts.ts';
import type { Endpoint } from '../config/source.ts';
import { SourceFailure } from '../http/source-failure.ts';
import { readRules } from '../prometheus/read-rules.ts';
import { readSeries } from '../prometheus/read-series.ts';
import { readTargets } from '../prometheus/read-targets.ts';
import { HeldThread } from './held-thread.ts';
import { type PackedAnswer, packings } from './packed-answer.ts';
import { sendItems } from './send-items.ts';
import type { SourceReader } from './source-reader.ts';

export interface Question {
  readonly id: number;
  readonly kind: keyof SourceReader;
  /** The arguments but for the signal. */
  readonly input: readonly [Endpoint, ...unknown[]];
  /** What is asked again and again, under the same name. */
  readonly topic: string | undefined;
  /** The question on the topic whose answer is still known. */
  readonly knownId: number | undefined;
  /** Where the items of the answer go: see `sendItems`. */
  readonly port: MessagePort;
}

/** Sent when all items are. */
export type Reply = { readonly id: number } & (
  | { readonly rest: unknown }
  | { readonly failure: string }
  | { readonly error: unknown }
);

export type ReaderMessage = Question | { readonly cancel: number };

/** Only on Linux does a thread have a priority of its own. It may not be allowed to change it, and works without. */
function yieldToRequests(): void {
  try {
    if (process.platform === 'linux') os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {}
}

type AnyRead = (...input: unknown[]) => Promise<never>;
type AnyPack = (answer: never) => PackedAnswer<unknown, unknown>;

const reads = { rules: readRules, alertmanager: readAlertmanager, targets: readTargets, series: readSeries };

yieldToRequests();

const thread = new HeldThread(workerData);
const asked = new Map<number, AbortController>();
/** What was last sent on each topic. */
const sent = new Map<string, { readonly id: number; readonly digests: readonly string[] }>();

parentPort!.on('message', (message: ReaderMessage) => {
  if ('cancel' in message) asked.get(message.cancel)?.abort();
  else void answer(message).then((reply) => parentPort!.postMessage(reply));
});

async function answer(question: Question): Promise<Reply> {
  const { id, kind, input } = question;
  const stopping = new AbortController();
  const deadline = new AbortController();
  const release = thread.limit(input[0].timeoutMs, deadline);
  asked.set(id, stopping);
  try {
    const found = await (reads[kind] as AnyRead)(...input, {
      signal: stopping.signal,
      deadline: deadline.signal,
      beforeParsing: () => thread.hold(id),
    });
    const { items, rest } = (packings[kind].pack as AnyPack)(found);
    send(items, question);
    return { id, rest };
  } catch (error) {
    return error instanceof SourceFailure ? { id, failure: error.message } : { id, error };
  } finally {
    release();
    asked.delete(id);
  }
}

function send(items: readonly unknown[], { id, topic, knownId, port }: Question): void {
  const before = topic === undefined ? undefined : sent.get(topic);
  const digests = sendItems(items, port, before?.id === knownId ? before?.digests : undefined);
  if (topic !== undefined) sent.set(topic, { id, digests });
}
