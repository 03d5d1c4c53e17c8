import { isUtf8 } from 'node:buffer';
import { quote, RosterError } from '@roster/contract';
import type { FastifyRequest } from 'fastify';
import { requireStillValid } from './route.ts';

const maxBytes = 256 * 1024;

/** The JSON value that a small body holds. */
export async function readJson(request: FastifyRequest): Promise<unknown> {
  const contentType = request.headers['content-type'];
  if (contentType?.replace(/;.*/s, '').trim().toLowerCase() !== 'application/json') {
    throw new RosterError(
      'unsupported_media_type',
      `Content-Type must be application/json, got ${quote(contentType ?? 'none')}`,
      { parameter: 'Content-Type' },
    );
  }
  const bytes = await readAll(request);
  requireStillValid(request);
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

async function readAll(request: FastifyRequest): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request.raw.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > maxBytes) {
        throw new RosterError('body_too_large', `the body may have at most ${maxBytes} bytes`);
      }
      chunks.push(chunk);
    }
  } finally {
    // A client that sends before it reads would never hear of a refusal if the rest were left unread.
    request.raw.resume();
  }
  return Buffer.concat(chunks);
}
