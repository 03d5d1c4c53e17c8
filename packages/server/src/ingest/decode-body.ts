import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import { quote, RosterError } from '@roster/contract';
import { decompress } from './decompress.ts';

export interface BodyLimits {
  /** Holds for the body as it was sent and as it is decoded. */
  readonly maxBytes: number;
}

const outputBytes = 64 * 1024;

/** As RFC 9659 has it, so that no frame makes the decoder take more memory. */
const maxZstdWindowLog = 23;

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => zlib.createGunzip({ chunkSize: outputBytes }),
  deflate: () => zlib.createInflate({ chunkSize: outputBytes, rejectGarbageAfterEnd: true }),
  br: () => zlib.createBrotliDecompress({ chunkSize: outputBytes, rejectGarbageAfterEnd: true }),
  zstd: () =>
    zlib.createZstdDecompress({
      chunkSize: outputBytes,
      rejectGarbageAfterEnd: true,
      params: { [zlib.constants.ZSTD_d_windowLogMax]: maxZstdWindowLog },
    }),
};

/** The body without its `Content-Encoding`, decoded as it is read. Nothing stays open when reading ends early. */
export function decodeBody(
  chunks: AsyncIterable<Buffer>,
  contentEncoding: string | undefined,
  limits: BodyLimits,
): AsyncIterable<Buffer> {
  const encoding =
    contentEncoding
      ?.trim()
      .toLowerCase()
      .replace(/^x-gzip$/, 'gzip') || 'identity';
  const sent = limitSize(chunks, limits.maxBytes);
  if (encoding === 'identity') return sent;
  if (Object.hasOwn(decoders, encoding)) {
    return limitSize(decompress(sent, encoding, decoders[encoding]!), limits.maxBytes);
  }
  throw new RosterError(
    'unsupported_media_type',
    `Content-Encoding must be one of gzip, deflate, br, zstd and identity, got ${quote(contentEncoding)}`,
    { parameter: 'Content-Encoding' },
  );
}

export function bodyTooLarge(maxBytes: number): RosterError {
  return new RosterError('body_too_large', `the body may have at most ${maxBytes} bytes; send it in parts`);
}

async function* limitSize(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) throw bodyTooLarge(maxBytes);
    yield chunk;
  }
}
