import type { ServerResponse } from 'node:http';
import { type Answer, jsonType } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import { drained } from '../node/drained.ts';

/** Rejects if chunks cannot be made. */
export async function sendAnswer(
  { request, response }: Exchange,
  { status = 200, headers = {}, cookies, body }: Answer,
): Promise<void> {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'Vary') response.appendHeader(name, value);
    else response.setHeader(name, value);
  }
  if (cookies !== undefined) response.setHeader('Set-Cookie', cookies);
  const isHead = request.method === 'HEAD';
  if (isChunked(body)) {
    if (!isHead) await sendChunks(response, body);
    response.end();
  } else if (body !== undefined) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    if (typeof body !== 'string') response.setHeader('Content-Type', jsonType);
    response.setHeader('Content-Length', Buffer.byteLength(text));
    response.end(isHead ? undefined : text);
  } else response.end();
}

/** No faster than the client reads. */
async function sendChunks(response: ServerResponse, chunks: AsyncIterable<Buffer | string>): Promise<void> {
  for await (const chunk of chunks) {
    if (response.destroyed) return;
    if (!response.write(chunk)) await drained(response);
  }
}

function isChunked(body: Answer['body']): body is AsyncIterable<Buffer | string> {
  return typeof body === 'object' && Symbol.asyncIterator in body;
}
