import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import { limits, quote, RosterError } from '@roster/contract';
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
  { maxBytes }: BodyLimits,
): AsyncIterable<Buffer> {
  const encoding =
    contentEncoding
      ?.trim()
      .toLowerCase()
      .replace(/^x-gzip$/, 'gzip') || 'identity';
  const sent = new SizedChunks(chunks, maxBytes);
  if (encoding === 'identity') return sent;
  if (Object.hasOwn(decoders, encoding)) {
    const decoded = new SizedChunks(decompress(sent, encoding, decoders[encoding]!), maxBytes);
    return limitExpansion(sent, decoded);
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

/** Chunks of at most `maxBytes` together, with how many bytes there were so far. */
class SizedChunks implements AsyncIterable<Buffer> {
  size = 0;
  readonly #chunks: AsyncIterable<Buffer>;
  readonly #maxBytes: number;

  constructor(chunks: AsyncIterable<Buffer>, maxBytes: number) {
    this.#chunks = chunks;
    this.#maxBytes = maxBytes;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for await (const chunk of this.#chunks) {
      this.size += chunk.length;
      if (this.size > this.#maxBytes) throw bodyTooLarge(this.#maxBytes);
      yield chunk;
    }
  }
}

/** No inventory can be compressed like a body that is made to keep the server busy. */
async function* limitExpansion(sent: SizedChunks, decoded: SizedChunks): AsyncGenerator<Buffer> {
  const { guardedDecodedBytes, maxExpansion } = limits;
  for await (const chunk of decoded) {
    if (decoded.size > guardedDecodedBytes && decoded.size > maxExpansion * sent.size) {
      const most = `${guardedDecodedBytes} bytes may be at most ${maxExpansion} times as large as what was sent`;
      throw new RosterError(
        'body_too_large',
        `a body of more than ${most}; ${sent.size} bytes were sent so far: send it uncompressed`,
      );
    }
    yield chunk;
  }
}
