import type { BeforeVisible, HeadMoved } from '@roster/engine/port';
import type { Announcements } from './announcements.ts';
import { onlyForReading, storeClosed } from './store-errors.ts';

/** What both stores do alike: announce moves, refuse writes when read-only, and finish writes before they close. */
export abstract class BaseStore {
  protected readonly announcements: Announcements;
  readonly #readOnly: boolean;
  readonly #writes = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;

  constructor(announcements: Announcements, readOnly: boolean) {
    this.announcements = announcements;
    this.#readOnly = readOnly;
  }

  onBeforeVisible(hook: BeforeVisible): void {
    this.announcements.hook = hook;
  }

  onHeadMoved(listener: HeadMoved): void {
    this.announcements.listener = listener;
  }

  close(): Promise<void> {
    this.#closed ??= Promise.allSettled(this.#writes).then(() => this.release());
    return this.#closed;
  }

  /** Called once, after the last write. */
  protected abstract release(): Promise<void>;

  protected async write<T>(write: () => Promise<T>): Promise<T> {
    this.requireWritable();
    const running = write();
    this.#writes.add(running);
    try {
      return await running;
    } finally {
      this.#writes.delete(running);
    }
  }

  protected requireWritable(): void {
    this.requireOpen();
    if (this.#readOnly) throw onlyForReading();
  }

  protected requireOpen(): void {
    if (this.#closed) throw storeClosed();
  }
}
