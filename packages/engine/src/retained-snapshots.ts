import type { Revision } from '@roster/contract';
import { type EarlierSnapshot, revert } from './index/build/revert.ts';
import type { ChangeLog } from './index/lists/change-log.ts';
import type { Snapshot } from './index/snapshot.ts';
import type { MaybePromise } from './port/store.ts';
import { TimeSlicer } from './scheduling/time-slicer.ts';

interface Wanted extends PromiseWithResolvers<Snapshot | undefined> {
  readonly newest: Snapshot;
}

interface RetainedRevision extends EarlierSnapshot {
  readonly log: ChangeLog;
  readonly expiresAt: number;
}

/** Each keeps what has changed since from being freed. */
const maxWhole = 16;

/**
 * Earlier snapshots of a station that clients may still page through. If the station changes a thousand times a second
 * there are thousands, so only the last used ones are kept whole. Others are derived from a later one when they are
 * asked for, in proportion to what has changed since.
 */
export class RetainedSnapshots {
  /** By number, oldest first. */
  readonly #revisions = new Map<number, RetainedRevision>();
  /** The least recently used first. */
  readonly #whole: Snapshot[] = [];
  /** The revisions that were asked for, to be derived from the newest snapshot of then or from one nearer by. */
  readonly #wanted = new Map<RetainedRevision, Wanted>();
  #isDeriving = false;
  /** By log, the last snapshot before the station was laid out anew: those before it are derived from it. */
  readonly #last = new Map<ChangeLog, Snapshot>();

  get size(): number {
    return this.#revisions.size;
  }

  /** The memory that the newest snapshot does not share. */
  bytesBeside(newest: Snapshot): number {
    let bytes = newest.log.emptiedBytes;
    for (const last of this.#last.values()) bytes += last.bytesBeside(newest) + last.log.emptiedBytes;
    for (const whole of this.#whole) bytes += whole.bytesBeside(this.#last.get(whole.log) ?? newest);
    return bytes;
  }

  /** Retains what was the newest snapshot. */
  add(snapshot: Snapshot, expiresAt: number): void {
    const { head, log, logPosition } = snapshot;
    const before = this.#revisions.get(head.number);
    this.#revisions.delete(head.number);
    this.#revisions.set(head.number, { head, log, logPosition, expiresAt });
    log.neededFrom = Math.min(log.neededFrom, logPosition);
    // The same revision may have been laid out anew.
    if (before !== undefined && before.log !== log) this.#noteNeeds(before.log);
    this.#keepWhole(snapshot);
  }

  /** Call it, after `add`, for the last snapshot before the station was laid out anew, retained or not. */
  keepLast(snapshot: Snapshot): void {
    if (snapshot.log.neededFrom !== Number.POSITIVE_INFINITY) this.#last.set(snapshot.log, snapshot);
  }

  find({ epoch, number }: Revision, newest: Snapshot): MaybePromise<Snapshot | undefined> {
    const revision = this.#revisions.get(number);
    if (revision?.head.epoch !== epoch) return undefined;
    const whole = this.#whole.find((each) => each.head.number === number);
    if (whole !== undefined) {
      this.#keepWhole(whole);
      return whole;
    }
    const wanted = this.#wanted.getOrInsertComputed(revision, () => ({ newest, ...Promise.withResolvers() }));
    if (!this.#isDeriving) void this.#deriveAll();
    return wanted.promise;
  }

  forgetExpired(now: number): void {
    this.#forgetWhile(({ expiresAt }) => expiresAt <= now);
  }

  forgetOlderHalf(): void {
    let count = Math.ceil(this.#revisions.size / 2);
    this.#forgetWhile(() => count-- > 0);
  }

  clear(): void {
    this.#forgetWhile(() => true);
  }

  /** One after the other, the latest first: those before it are then derived from it. */
  async #deriveAll(): Promise<void> {
    this.#isDeriving = true;
    const slicer = new TimeSlicer();
    await slicer.pause();
    while (this.#wanted.size > 0) {
      const [revision, wanted] = [...this.#wanted].reduce((a, b) =>
        b[0].logPosition > a[0].logPosition ? b : a,
      );
      await this.#derive(revision, wanted.newest, slicer).then(wanted.resolve, wanted.reject);
      this.#wanted.delete(revision);
    }
    this.#isDeriving = false;
  }

  async #derive(
    revision: RetainedRevision,
    newest: Snapshot,
    slicer: TimeSlicer,
  ): Promise<Snapshot | undefined> {
    const nearest = this.#nearest(revision, newest);
    if (nearest.log !== revision.log) return undefined;
    const snapshot = await revert(nearest, revision, slicer);
    const isRetained = this.#revisions.get(revision.head.number) === revision;
    if (snapshot !== undefined && isRetained) this.#keepWhole(snapshot);
    return snapshot;
  }

  /** The first snapshot behind a revision. */
  #nearest({ log, logPosition }: RetainedRevision, newest: Snapshot): Snapshot {
    let nearest = this.#last.get(log) ?? newest;
    for (const whole of this.#whole) {
      const isNearer = whole.logPosition >= logPosition && whole.logPosition < nearest.logPosition;
      if (whole.log === log && isNearer) nearest = whole;
    }
    return nearest;
  }

  #keepWhole(snapshot: Snapshot): void {
    this.#dropWhole(snapshot.head.number);
    this.#whole.push(snapshot);
    if (this.#whole.length > maxWhole) this.#whole.shift();
  }

  #dropWhole(number: number): void {
    const at = this.#whole.findIndex(({ head }) => head.number === number);
    if (at !== -1) this.#whole.splice(at, 1);
  }

  #forgetWhile(isForgotten: (oldest: RetainedRevision) => boolean): void {
    const logs = new Set<ChangeLog>();
    for (const [number, revision] of this.#revisions) {
      if (!isForgotten(revision)) break;
      this.#revisions.delete(number);
      this.#dropWhole(number);
      logs.add(revision.log);
    }
    for (const log of logs) this.#noteNeeds(log);
  }

  #noteNeeds(log: ChangeLog): void {
    const oldest = this.#revisions.values().find((revision) => revision.log === log);
    log.neededFrom = oldest?.logPosition ?? Number.POSITIVE_INFINITY;
    if (oldest === undefined) this.#last.delete(log);
  }
}
