import type { Transform } from 'node:stream';
import { RosterError } from '@roster/contract';

/**
 * Decodes one chunk after the other. The source is asked for more only when all of a chunk is decoded and
 * taken, so whenever the reader stops, nothing waits for the sender and nothing is left open.
 */
export async function* decompress(
  chunks: AsyncIterable<Buffer>,
  encoding: string,
  create: () => Transform,
): AsyncGenerator<Buffer> {
  const decoder = new ChunkDecoder(create(), encoding);
  try {
    for await (const chunk of chunks) yield* decoder.decode(chunk);
    yield* decoder.end();
  } finally {
    decoder.destroy();
  }
}

class ChunkDecoder {
  readonly #stream: Transform;
  readonly #encoding: string;
  #error: Error | undefined;
  #hasEnded = false;
  #wake = (): void => undefined;

  constructor(stream: Transform, encoding: string) {
    this.#stream = stream;
    this.#encoding = encoding;
    stream.on('readable', () => this.#wake());
    stream.on('end', () => {
      this.#hasEnded = true;
      this.#wake();
    });
    stream.on('error', (error) => {
      this.#error = error;
      this.#wake();
    });
  }

  decode(chunk: Buffer): AsyncGenerator<Buffer> {
    let isTaken = false;
    this.#stream.write(chunk, () => {
      isTaken = true;
      this.#wake();
    });
    return this.#takeUntil(() => isTaken);
  }

  end(): AsyncGenerator<Buffer> {
    this.#stream.end();
    return this.#takeUntil(() => this.#hasEnded);
  }

  destroy(): void {
    this.#stream.destroy();
  }

  async *#takeUntil(isDone: () => boolean): AsyncGenerator<Buffer> {
    for (;;) {
      for (let out = this.#stream.read(); out !== null; out = this.#stream.read()) yield out as Buffer;
      if (this.#error) throw this.#invalidBody(this.#error);
      if (isDone()) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #invalidBody(cause: Error): RosterError {
    const message = `the body is not complete and valid ${this.#encoding} data: ${cause.message}`;
    return new RosterError('invalid_body', message, { cause });
  }
}
