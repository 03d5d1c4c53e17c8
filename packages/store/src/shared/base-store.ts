import type { BeforeVisible, HeadMoved, IsFollowed, StationArriving } from '@roster/engine/port';
import type { Announcements } from './announcements.ts';
import { onlyForReading, storeClosed } from './store-errors.ts';

/** What both stores do alike: announce moves, refuse writes when read-only, and finish writes before they close. */
export abstract class BaseStore {
  protected readonly announcements: Announcements;
  protected stationArriving: StationArriving | undefined;
  protected isFollowed: IsFollowed = () => false;
  readonly #readOnly: boolean;
  #writes = 0;
  readonly #written = Promise.withResolvers<void>();
  #closed: Promise<void> | undefined;

  constructor(announcements: Announcements, readOnly: boolean) {
    this.announcements = announcements;
    this.#readOnly = readOnly;
  }

  onBeforeVisible(hook: BeforeVisible, isFollowed: IsFollowed = () => true): void {
    this.announcements.hook = hook;
    this.isFollowed = isFollowed;
  }

  onStationArriving(listener: StationArriving): void {
    this.stationArriving = listener;
  }

  onHeadMoved(listener: HeadMoved): void {
    this.announcements.listener = listener;
  }

  close(): Promise<void> {
    if (this.#writes === 0) this.#written.resolve();
    this.#closed ??= this.#written.promise.then(() => this.release());
    return this.#closed;
  }

  /** Called once, after the last write. */
  protected abstract release(): Promise<void>;

  protected async write<T>(write: () => Promise<T>): Promise<T> {
    this.requireWritable();
    this.#writes++;
    try {
      return await write();
    } finally {
      if (--this.#writes === 0 && this.#closed) this.#written.resolve();
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
