import type { DirectWrite } from './direct-write.ts';

/** Keeps a commit short enough for those who wait for the next one. */
export const maxRecordsPerCommit = 4_000;

interface Waiting<T> extends PromiseWithResolvers<T> {
  readonly write: DirectWrite;
}

/** A write that was committed. */
export interface Committed<Result> {
  readonly result: Result;
  /** Resolves when the write is visible. */
  readonly published: Promise<void>;
}

/** What became of one write of a commit. */
export type Outcome<T> = { readonly value: T } | { readonly error: unknown };

/** Writes that are durable. */
export interface Durable<T> {
  /** Makes them visible, and returns one outcome for each. */
  publish(): readonly Outcome<T>[];
  /** How long it took to write them, where another thread did. */
  readonly tookMs?: number | undefined;
}

type Commit<T> = (writes: readonly DirectWrite[]) => Promise<Durable<T>>;

/** With fewer writes, what each commit costs in any case outweighs what halves gain. */
const fewestInHalf = 8;

/** Writes that take longer wait for a slow disk, and one commit for all keeps them waiting once instead of twice. */
const longestMsInHalves = 0.3;

/** Queues writes while a commit is under way. The next commit takes those that wait, in their order. */
export class SharedCommits<T> {
  readonly #commit: Commit<T>;
  readonly #onIdle: (() => void) | undefined;
  #waiting: Waiting<T>[] = [];
  #isCommitting = false;
  /** How many writes the last commit had. */
  #lastSize = 0;
  #msPerWrite = Number.POSITIVE_INFINITY;

  /** `onIdle` is called when nothing waits any more. */
  constructor(commit: Commit<T>, onIdle?: () => void) {
    this.#commit = commit;
    this.#onIdle = onIdle;
  }

  add(write: DirectWrite): Promise<T> {
    const waiting = { write, ...Promise.withResolvers<T>() };
    this.#waiting.push(waiting);
    if (!this.#isCommitting) void this.#commitAll();
    return waiting.promise;
  }

  async #commitAll(): Promise<void> {
    this.#isCommitting = true;
    // Writes that arrive in the same turn share the first commit.
    await Promise.resolve();
    let answerLast = () => {};
    while (this.#waiting.length > 0) {
      const next = this.#takeNext();
      const committed = this.#commit(next.map(({ write }) => write));
      // Answering the last ones can wait until the next ones are being written.
      answerLast();
      const [settled] = await Promise.allSettled([committed]);
      this.#lastSize = next.length;
      if (settled.status === 'fulfilled') {
        this.#msPerWrite = (settled.value.tookMs ?? Number.POSITIVE_INFINITY) / next.length;
      }
      answerLast = () => answer(next, settled);
    }
    this.#isCommitting = false;
    this.#lastSize = 0;
    answerLast();
    this.#onIdle?.();
  }

  #takeNext(): Waiting<T>[] {
    const most = this.#mostAtOnce();
    let records = 0;
    const isFull = this.#waiting.findIndex(({ write }, at) => {
      records += 1 + write.records.length;
      return at > 0 && (records > maxRecordsPerCommit || at >= most);
    });
    const count = isFull === -1 ? this.#waiting.length : isFull;
    const next = this.#waiting.slice(0, count);
    this.#waiting = this.#waiting.slice(count);
    return next;
  }

  /** Many writers are committed in two halves: one is written while the other is answered. */
  #mostAtOnce(): number {
    // Those who have just been answered usually write again.
    const writers = this.#lastSize + this.#waiting.length;
    const inHalves = writers >= 2 * fewestInHalf && this.#msPerWrite < longestMsInHalves;
    return inHalves ? Math.ceil(writers / 2) : Number.POSITIVE_INFINITY;
  }
}

function answer<T>(writes: readonly Waiting<T>[], settled: PromiseSettledResult<Durable<T>>): void {
  try {
    if (settled.status === 'rejected') throw settled.reason;
    const outcomes = settled.value.publish();
    for (const [at, { resolve, reject }] of writes.entries()) {
      const outcome = outcomes[at]!;
      if ('error' in outcome) reject(outcome.error);
      else resolve(outcome.value);
    }
  } catch (error) {
    for (const { reject } of writes) reject(error);
  }
}
