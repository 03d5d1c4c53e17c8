import type { WriteStream } from 'node:tty';
import { escapeUnprintable } from './escape-unprintable.ts';
import { type Paint, paintWith, plain } from './paint.ts';

type Stream = NodeJS.WriteStream & Partial<Pick<WriteStream, 'columns'>>;
const narrowest = 20;
const usualColumns = 80;

/** Where a command writes: data with `print` to stdout, messages with `tell` to stderr. */
export class Terminal {
  /** Whether stdout is a terminal. */
  readonly isTerminal: boolean;
  /** Whether progress can be shown. */
  readonly showsProgress: boolean;
  readonly paint: Paint;
  readonly paintMessage: Paint;
  readonly #out: Stream;
  readonly #err: Stream;

  constructor({ stdout, stderr, env }: NodeJS.Process, words: readonly string[]) {
    this.#out = stdout;
    this.#err = stderr;
    this.isTerminal = stdout.isTTY === true;
    this.showsProgress = stderr.isTTY === true && env.TERM !== 'dumb';
    const mayColour = !words.includes('--no-color') && !env.NO_COLOR;
    const isForced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
    const paintFor = (isTerminal: boolean) =>
      mayColour && (isForced || (isTerminal && env.TERM !== 'dumb')) ? paintWith : plain;
    this.paint = paintFor(this.isTerminal);
    this.paintMessage = paintFor(stderr.isTTY === true);
  }

  get columns(): number {
    return Math.max(narrowest, this.#out.columns ?? usualColumns);
  }

  get messageColumns(): number {
    return Math.max(narrowest, this.#err.columns ?? usualColumns);
  }

  /** Resolves when the stream accepts more, or is broken. */
  async print(text: string | Uint8Array): Promise<void> {
    await write(this.#out, text);
  }

  async tell(line: string): Promise<void> {
    await write(this.#err, `${line}\n`);
  }

  /** Replaces the line drawn last. */
  draw(line: string): void {
    this.#err.write(`\r\x1b[2K${line}`);
  }

  /** Escapes control characters if stdout is a terminal, which would obey them. */
  safe(text: string): string {
    return this.isTerminal ? escapeUnprintable(text) : text;
  }
}

async function write(stream: Stream, text: string | Uint8Array): Promise<void> {
  if (stream.write(text) || stream.errored !== null) return;
  await new Promise<void>((resolve) => {
    const end = () => {
      stream.off('drain', end).off('error', end);
      resolve();
    };
    stream.once('drain', end).once('error', end);
  });
}
