import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { quote, RosterError } from '@roster/contract';
import type { Exchange } from './exchange.ts';
import { readChunks } from './read-chunks.ts';

const maxSmallBytes = 256 * 1024;
const firstBytes = 1024;

/** Reads a JSON body as a whole. */
export async function readJson(exchange: Exchange, maxBytes = maxSmallBytes): Promise<unknown> {
  const { request } = exchange;
  const contentType = request.headers['content-type'];
  if (contentType?.replace(/;.*/s, '').trim().toLowerCase() !== 'application/json') {
    throw new RosterError(
      'unsupported_media_type',
      `Content-Type must be application/json, got ${quote(contentType ?? 'none')}`,
      { parameter: 'Content-Type' },
    );
  }
  const bytes = await readAll(request, maxBytes);
  exchange.requireStillValid();
  if (!isUtf8(bytes)) throw new RosterError('invalid_body', 'the body is not valid UTF-8');
  try {
    return JSON.parse(bytes.toString());
  } catch (error) {
    throw new RosterError(
      'invalid_body',
      `the body is not valid JSON: ${(error as Error).message.slice(0, 200)}`,
    );
  }
}

async function readAll(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  let body: Buffer = Buffer.allocUnsafe(firstBytes);
  let size = 0;
  try {
    for await (const chunk of readChunks(request)) {
      if (size + chunk.length > maxBytes) {
        throw new RosterError('body_too_large', `the body may have at most ${maxBytes} bytes`);
      }
      // One growing buffer: a body of tiny chunks would take much more memory as a list of them.
      if (size + chunk.length > body.length) {
        body = Buffer.concat([body], Math.max(2 * body.length, size + chunk.length));
      }
      size += chunk.copy(body, size);
    }
  } finally {
    // A client may send everything before it reads the refusal.
    request.resume();
  }
  return body.subarray(0, size);
}
