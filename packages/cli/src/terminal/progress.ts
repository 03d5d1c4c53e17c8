import { formatCount, formatDuration } from './format-numbers.ts';
import type { Terminal } from './terminal.ts';
import { truncate } from './text-width.ts';

export interface ProgressOptions {
  /** What is being done, such as `Listing`. */
  readonly title: string;
  readonly format?: (amount: number) => string;
  /** Asked again at each redraw, as it may become known late. */
  readonly total: () => number | undefined;
  /** Shown when everything has been counted; `waiting for the server` unless given. */
  readonly rest?: string;
}

const appearsAfterMs = 1000;
const redrawMs = 100;
const barWidth = 24;

/** A progress line on stderr for work that takes over a second; nothing if stderr is no terminal. */
export class Progress {
  readonly #terminal: Terminal;
  readonly #options: ProgressOptions;
  readonly #startedAt = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #hasAppeared = false;
  #amount = 0;

  constructor(terminal: Terminal, options: ProgressOptions) {
    this.#terminal = terminal;
    this.#options = options;
    if (!terminal.showsProgress) return;
    this.#timer = setTimeout(() => this.#appear(), appearsAfterMs).unref();
  }

  get isShown(): boolean {
    return this.#terminal.showsProgress;
  }

  add(amount: number): void {
    this.#amount += amount;
  }

  end(): void {
    clearInterval(this.#timer);
    process.off('exit', this.#clear);
    if (this.#hasAppeared) this.#clear();
  }

  #appear(): void {
    this.#hasAppeared = true;
    process.once('exit', this.#clear);
    this.#draw();
    this.#timer = setInterval(() => this.#draw(), redrawMs).unref();
  }

  #draw(): void {
    const line = renderProgress(this.#options, this.#amount, (performance.now() - this.#startedAt) / 1000);
    this.#terminal.draw(truncate(line, this.#terminal.messageColumns - 1));
  }

  readonly #clear = () => this.#terminal.draw('');
}

export function renderProgress(options: ProgressOptions, amount: number, seconds: number): string {
  const { title, format = formatCount, total, rest = 'waiting for the server' } = options;
  const all = total();
  const rate = seconds > 0 ? amount / seconds : 0;
  const speed = `${format(Math.round(rate))}/s`;
  if (all === undefined || all === 0) return `${title}  ${format(amount)}  ${speed}`;
  if (amount >= all) return `${title}  ${format(all)} done, ${rest}  ${formatDuration(seconds)}`;
  const part = amount / all;
  const filled = Math.round(part * barWidth);
  const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
  const left = rate > 0 ? `  ${formatDuration((all - amount) / rate)} left` : '';
  return `${title}  ${bar} ${Math.floor(part * 100)} %  ${format(amount)} of ${format(all)}  ${speed}${left}`;
}

/** Counts items for the progress line, and ends it with them. Adds no overhead when no line is shown. */
export function watched<T>(
  items: AsyncIterable<T>,
  progress: Progress,
  amountOf: (item: T) => number,
): AsyncIterable<T> {
  return progress.isShown ? counted(items, progress, { amountOf, onEnd: () => progress.end() }) : items;
}

interface Counting<T> {
  readonly amountOf: (item: T) => number;
  readonly onEnd?: () => void;
}

/** Passes items on and counts them. */
export async function* counted<T>(
  items: AsyncIterable<T>,
  progress: Progress,
  { amountOf, onEnd }: Counting<T>,
): AsyncGenerator<T, void, undefined> {
  try {
    for await (const item of items) {
      progress.add(amountOf(item));
      yield item;
    }
  } finally {
    onEnd?.();
  }
}
