import { createHash } from 'node:crypto';
import type { MessagePort } from 'node:worker_threads';
import { SourceFailure } from '../http/source-failure.ts';

/** Small enough to be read without a pause. */
const itemsPerMessage = 100;
const textPerMessage = 128 * 1024;

/** What a server can make of a body of 64 MiB by repeating itself is bounded too. */
const maxItems = 500_000;
const maxItemText = 1024 * 1024;
const maxText = 128 * 1024 * 1024;

/**
 * Sends items some at a time, as JSON, or null for the same as in the known answer: most alerts are the same as a
 * moment ago. Returns the digests of the messages.
 */
export function sendItems(
  items: readonly unknown[],
  port: MessagePort,
  known: readonly string[] | undefined,
): readonly string[] {
  if (items.length > maxItems) throw new SourceFailure(`answered with more than ${maxItems} items`);
  const digests: string[] = [];
  let size = 0;
  for (const text of messagesOf(items)) {
    size += text.length;
    if (size > maxText) throw new SourceFailure(`answered with more than ${maxText} characters to keep`);
    const digest = createHash('sha1').update(text).digest('base64');
    port.postMessage(digest === known?.[digests.length] ? null : text);
    digests.push(digest);
  }
  return digests;
}

function* messagesOf(items: readonly unknown[]): Generator<string> {
  let texts: string[] = [];
  let size = 0;
  for (const item of items) {
    const text = JSON.stringify(item);
    if (text.length > maxItemText)
      throw new SourceFailure(`answered with an item of more than ${maxItemText} characters`);
    texts.push(text);
    size += text.length;
    if (texts.length < itemsPerMessage && size < textPerMessage) continue;
    yield `[${texts.join()}]`;
    texts = [];
    size = 0;
  }
  if (texts.length > 0) yield `[${texts.join()}]`;
}
