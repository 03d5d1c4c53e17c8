import type { SourceObserver } from '../port.ts';
import type { SourceState } from './source-state.ts';

/** A woken poller asks at most this often. */
const minIntervalMs = 1_000;

export interface PollerOptions {
  readonly observer: SourceObserver;
  /** Whether a Prometheus of the same stations is down. */
  readonly isSenderDown: () => boolean;
  /** Runs after each question, whether or not it was answered. */
  readonly afterRead: (signal: AbortSignal) => Promise<void>;
}

/** Asks a source again and again, once at a time. */
export class Poller {
  readonly state: SourceState;
  readonly #options: PollerOptions;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #reading: Promise<void> = Promise.resolve();
  #endRest: () => void = () => undefined;
  /** Also while it asks: what it is told then may be from before. */
  #isWoken = false;
  /** What was last said of it. A fault that this node only recalls was not said by it. */
  #toldFault: string | undefined;

  constructor(state: SourceState, options: PollerOptions) {
    this.state = state;
    this.#options = options;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Asks now instead of at the end of the interval. */
  wake(): void {
    this.#isWoken = true;
    this.#endRest();
  }

  /** Asks at once, whatever the interval. What is said is taken in, but nothing follows from it here. */
  ask(): Promise<void> {
    const { signal } = this.#stopping;
    const read = () => this.state.read(signal, this.#options.isSenderDown);
    const asked = this.#reading.then(read, read);
    this.#reading = asked.catch(() => undefined);
    return asked;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#endRest();
    await Promise.all([this.#running, this.#reading]);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const startedAtMs = performance.now();
      this.#isWoken = false;
      await this.#poll(signal);
      if (signal.aborted) return;
      const tookMs = performance.now() - startedAtMs;
      if (!this.#isWoken) await this.#rest(Math.max(minIntervalMs, this.state.source.intervalMs - tookMs));
      const earliestMs = startedAtMs + tookMs + minIntervalMs;
      while (!signal.aborted && performance.now() < earliestMs) {
        await this.#rest(earliestMs - performance.now());
      }
    }
  }

  async #poll(signal: AbortSignal): Promise<void> {
    const { observer, afterRead } = this.#options;
    const { state } = this;
    const { name } = state.source;
    const wasDown = state.fault !== undefined;
    try {
      await this.ask();
      if (signal.aborted) return;
      const fault = state.fault?.message;
      if (fault !== undefined && fault !== this.#toldFault) observer.sourceDown(name, fault);
      if (fault === undefined && wasDown) observer.sourceUp(name);
      this.#toldFault = fault;
      await afterRead(signal);
    } catch (error) {
      observer.failed(`the source ${name}`, error);
    }
  }

  #rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, ms)).unref();
      this.#endRest = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
