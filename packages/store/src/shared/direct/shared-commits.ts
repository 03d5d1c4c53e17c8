import type { StationChanges } from '@roster/engine/port';
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

/**
 * Resolves when the writes are durable. What it resolves to makes them visible, and returns one outcome for each; it does
 * not throw.
 */
type Commit<T> = (writes: readonly DirectWrite[]) => Promise<() => readonly Outcome<T>[]>;

interface SharedCommitsOptions {
  /** Many writers are committed in two halves: one is written while the other is answered. */
  readonly inHalves?: boolean;
  /** Called when nothing waits any more. */
  readonly onIdle?: () => void;
}

/** With fewer writes, what each commit costs in any case outweighs what halves gain. */
const fewestInHalf = 8;

/** Queues writes while a commit is under way. The next commit takes those that wait, in their order. */
export class SharedCommits<T> {
  readonly #commit: Commit<T>;
  readonly #options: SharedCommitsOptions;
  #waiting: Waiting<T>[] = [];
  #isCommitting = false;
  /** How many writes the last commit had. */
  #lastSize = 0;

  constructor(commit: Commit<T>, options: SharedCommitsOptions = {}) {
    this.#commit = commit;
    this.#options = options;
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
    let finishLast = () => {};
    while (this.#waiting.length > 0) {
      const next = this.#takeNext();
      this.#lastSize = next.length;
      const committed = this.#commit(next.map(({ write }) => write));
      // Answering the last ones can wait until the next ones are being written.
      finishLast();
      const [settled] = await Promise.allSettled([committed]);
      finishLast = () => finish(next, settled);
    }
    this.#isCommitting = false;
    this.#lastSize = 0;
    finishLast();
    this.#options.onIdle?.();
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

  /** Writers that have just been answered usually write again. */
  #mostAtOnce(): number {
    if (!this.#options.inHalves) return Number.POSITIVE_INFINITY;
    return Math.max(fewestInHalf, Math.ceil((this.#lastSize + this.#waiting.length) / 2));
  }
}

function finish<T>(
  writes: readonly Waiting<T>[],
  settled: PromiseSettledResult<() => readonly Outcome<T>[]>,
) {
  if (settled.status === 'rejected') {
    for (const { reject } of writes) reject(settled.reason);
    return;
  }
  const outcomes = settled.value();
  for (const [at, { resolve, reject }] of writes.entries()) {
    const outcome = outcomes[at]!;
    if ('error' in outcome) reject(outcome.error);
    else resolve(outcome.value);
  }
}

/** The changes of consecutive writes to one station as one: each resource comes once. */
export function joinChanges(changes: readonly StationChanges[]): StationChanges {
  const [first] = changes;
  if (changes.length === 1) return first!;
  const put = new Map<string, StationChanges['put'][number]>();
  const removed = new Set<string>();
  for (const each of changes) {
    for (const resourceId of each.removed) {
      put.delete(resourceId);
      removed.add(resourceId);
    }
    for (const resource of each.put) {
      removed.delete(resource.resourceId);
      put.set(resource.resourceId, resource);
    }
  }
  return { since: first!.since, size: changes.at(-1)!.size, put: [...put.values()], removed: [...removed] };
}
