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

/** Resolves when the writes are durable, to one outcome for each. */
type Commit<T> = (writes: readonly DirectWrite[]) => Promise<readonly Outcome<T>[]>;

/** Queues writes while a commit is under way. The next commit takes all that wait, in their order. */
export class SharedCommits<T> {
  readonly #commit: Commit<T>;
  readonly #onIdle: (() => void) | undefined;
  #waiting: Waiting<T>[] = [];
  #isCommitting = false;

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
    while (this.#waiting.length > 0) await this.#commitNext(this.#takeNext());
    this.#isCommitting = false;
    this.#onIdle?.();
  }

  #takeNext(): Waiting<T>[] {
    let records = 0;
    const isFull = this.#waiting.findIndex(({ write }, at) => {
      records += 1 + write.records.length;
      return at > 0 && records > maxRecordsPerCommit;
    });
    const count = isFull === -1 ? this.#waiting.length : isFull;
    const next = this.#waiting.slice(0, count);
    this.#waiting = this.#waiting.slice(count);
    return next;
  }

  async #commitNext(next: readonly Waiting<T>[]): Promise<void> {
    try {
      const outcomes = await this.#commit(next.map(({ write }) => write));
      for (const [at, { resolve, reject }] of next.entries()) {
        const outcome = outcomes[at]!;
        if ('error' in outcome) reject(outcome.error);
        else resolve(outcome.value);
      }
    } catch (error) {
      for (const { reject } of next) reject(error);
    }
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
