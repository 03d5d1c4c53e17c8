import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import { limits, quote, RosterError } from '@roster/contract';

export interface BodyLimits {
  /** For the body as sent, and as decoded. */
  readonly maxBytes: number;
  /** What to do about a larger one. */
  readonly advice?: string | undefined;
}

const outputBytes = 64 * 1024;

/** The limit of RFC 9659, which bounds memory. */
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

/** Decodes a body by its `Content-Encoding` as it is read. */
export function decodeBody(
  chunks: AsyncIterable<Buffer>,
  contentEncoding: string | undefined,
  limit: BodyLimits,
): AsyncIterable<Buffer> {
  const encoding =
    contentEncoding
      ?.trim()
      .toLowerCase()
      .replace(/^x-gzip$/, 'gzip') || 'identity';
  const sent = new SizedChunks(chunks, limit);
  if (encoding === 'identity') return sent;
  if (Object.hasOwn(decoders, encoding)) {
    const decoded = new SizedChunks(decompress(sent, encoding), limit);
    return limitExpansion(sent, decoded);
  }
  throw new RosterError(
    'unsupported_media_type',
    `Content-Encoding must be one of gzip, deflate, br, zstd and identity, got ${quote(contentEncoding)}`,
    { parameter: 'Content-Encoding' },
  );
}

export function bodyTooLarge(maxBytes: number, advice = 'send it in parts'): RosterError {
  return new RosterError('body_too_large', `the body may have at most ${maxBytes} bytes; ${advice}`);
}

/** Counts the bytes of chunks, and throws beyond the limit. */
class SizedChunks implements AsyncIterable<Buffer> {
  size = 0;
  readonly #chunks: AsyncIterable<Buffer>;
  readonly #limit: BodyLimits;

  constructor(chunks: AsyncIterable<Buffer>, limit: BodyLimits) {
    this.#chunks = chunks;
    this.#limit = limit;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for await (const chunk of this.#chunks) {
      this.size += chunk.length;
      const { maxBytes, advice } = this.#limit;
      if (this.size > maxBytes) throw bodyTooLarge(maxBytes, advice);
      yield chunk;
    }
  }
}

/** Refuses decompression bombs: no inventory compresses that well. */
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

/**
 * Decodes one chunk after the other. It asks for the next chunk only after everything from this one was read, so a
 * reader that stops early leaves nothing open and waits for nothing.
 */
async function* decompress(chunks: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<Buffer> {
  const stream = decoders[encoding]!();
  let wake = (): void => undefined;
  for (const event of ['readable', 'end', 'error']) stream.on(event, () => wake());
  const readUntil = async function* (isDone: () => boolean): AsyncGenerator<Buffer> {
    for (;;) {
      for (let out = stream.read(); out !== null; out = stream.read()) yield out;
      if (stream.errored) throw invalidBody(encoding, stream.errored);
      if (isDone()) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  try {
    for await (const chunk of chunks) {
      let isTaken = false;
      stream.write(chunk, () => {
        isTaken = true;
        wake();
      });
      yield* readUntil(() => isTaken);
    }
    stream.end();
    yield* readUntil(() => stream.readableEnded);
  } finally {
    stream.destroy();
  }
}

function invalidBody(encoding: string, cause: Error): RosterError {
  const message = `the body is not complete and valid ${encoding} data: ${cause.message}`;
  return new RosterError('invalid_body', message, { cause });
}
