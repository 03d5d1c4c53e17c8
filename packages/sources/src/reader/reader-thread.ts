import { createHash } from 'node:crypto';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { SourceFailure } from '../http/source-failure.ts';
import { type PackedAnswer, packings } from './packed-answer.ts';
import { directReader, type SourceReader } from './source-reader.ts';

/** Small enough to be read without a pause. */
const itemsPerMessage = 100;

export interface Question {
  readonly id: number;
  readonly kind: keyof SourceReader;
  /** The arguments but for the signal. */
  readonly input: readonly unknown[];
  /** What is asked again and again, under the same name. */
  readonly topic: string | undefined;
  /** The question on the topic whose answer is still known. */
  readonly knownId: number | undefined;
  /** Where the items of the answer go: some at a time, as JSON, or null for the same as in the known answer. */
  readonly port: MessagePort;
}

/** Sent when all items are. */
export type Reply = { readonly id: number } & (
  | { readonly rest: unknown }
  | { readonly failure: string }
  | { readonly error: unknown }
);

export type ReaderMessage = Question | { readonly cancel: number };

type AnyRead = (...input: unknown[]) => Promise<never>;
type AnyPack = (answer: never) => PackedAnswer<unknown, unknown>;

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
  asked.set(id, stopping);
  try {
    const found = await (directReader[kind] as AnyRead)(...input, stopping.signal);
    const { items, rest } = (packings[kind].pack as AnyPack)(found);
    send(items, question);
    return { id, rest };
  } catch (error) {
    return error instanceof SourceFailure ? { id, failure: error.message } : { id, error };
  } finally {
    asked.delete(id);
  }
}

/** Most alerts are the same as a moment ago. */
function send(items: readonly unknown[], { id, topic, knownId, port }: Question): void {
  const before = topic === undefined ? undefined : sent.get(topic);
  const known = before?.id === knownId ? before?.digests : undefined;
  const digests: string[] = [];
  for (let at = 0; at < items.length; at += itemsPerMessage) {
    const text = JSON.stringify(items.slice(at, at + itemsPerMessage));
    const digest = createHash('sha1').update(text).digest('base64');
    port.postMessage(digest === known?.[digests.length] ? null : text);
    digests.push(digest);
  }
  if (topic !== undefined) sent.set(topic, { id, digests });
}
