/** Where lines go. */
export interface LineSink {
  /** Never blocks and never throws. Calls back, now or later; if lines are lost, with an error and how many were kept. */
  write(lines: string, done: (error?: unknown, kept?: number) => void): void;
}

/** Consecutive lost lines. */
export interface Gap {
  readonly count: number;
  readonly from: Date;
  readonly to: Date;
}

export interface LineOutputOptions {
  readonly sink: LineSink;
  /** The line that reports the lost ones. */
  readonly lineOf: (gap: Gap) => string;
  readonly onGap?: (error: unknown) => void;
  readonly onGapEnd?: (gap: Gap) => void;
}

const retryMs = 1_000;

/** Writes lines, and never throws or blocks. A line reports lost ones as soon as writing works again. */
export class LineOutput {
  readonly #options: LineOutputOptions;
  #lostCount = 0;
  #gap: Gap | undefined;
  #retry: NodeJS.Timeout | undefined;

  constructor(options: LineOutputOptions) {
    this.#options = options;
  }

  /** Lines lost since the start. */
  get lostCount(): number {
    return this.#lostCount;
  }

  /** Returns whether the lines were accepted. An asynchronous sink may still lose them. */
  write(lines: string, count = 1): boolean {
    if (this.#gap !== undefined && !this.#endGap(this.#gap)) {
      this.#lose(count);
      return false;
    }
    return this.#put(lines, (error, kept) => this.#lose(count - kept, error));
  }

  /** Stops retrying. */
  close(): void {
    clearInterval(this.#retry);
    this.#retry = undefined;
  }

  #put(lines: string, onLost: (error: unknown, kept: number) => void): boolean {
    let isAccepted = true;
    this.#options.sink.write(lines, (error, kept = 0) => {
      if (!error) return;
      isAccepted = false;
      onLost(error, kept);
    });
    return isAccepted;
  }

  #lose(count: number, error?: unknown): void {
    const now = new Date();
    this.#lostCount += count;
    const isFirst = this.#gap === undefined;
    this.#addGap({ count, from: now, to: now });
    if (isFirst) this.#options.onGap?.(error);
  }

  /** Returns whether the line about the gap was accepted. */
  #endGap(gap: Gap): boolean {
    this.#gap = undefined;
    const isAccepted = this.#put(this.#options.lineOf(gap), () => this.#addGap(gap));
    if (!isAccepted) return false;
    this.close();
    this.#options.onGapEnd?.(gap);
    return true;
  }

  #addGap({ count, from, to }: Gap): void {
    const known = this.#gap ?? { count: 0, from, to };
    this.#gap = {
      count: known.count + count,
      from: from < known.from ? from : known.from,
      to: to > known.to ? to : known.to,
    };
    this.#retry ??= setInterval(() => this.#gap && this.#endGap(this.#gap), retryMs).unref();
  }
}
