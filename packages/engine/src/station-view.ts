import {
  defaultLocale,
  formatRevision,
  type Revision,
  RosterError,
  type StationAddress,
} from '@roster/contract';
import type { EngineObserver } from './engine-observer.ts';
import type { Labels } from './labels.ts';
import type { SavedSnapshots, SaveOptions } from './saved/saved-snapshots.ts';
import { buildSnapshot, emptySnapshot } from './snapshot/build-snapshot.ts';
import type { Snapshot } from './snapshot/snapshot.ts';
import type { ChangeFeed, Head, Store } from './store.ts';

/** A station with fewer resources is read in less time than anybody notices. */
export const largeStationSize = 10_000;

/** One changed resource has about ten, so that a snapshot is saved again when a fortieth of it has changed. */
const unsavedEntriesPerResource = 0.25;

/** What was saved is worth nothing when the store no longer knows what has changed since. */
const maxSavedAgeMs = 3_600_000;

export interface StationViewOptions {
  readonly store: Store;
  readonly labels: () => Labels;
  readonly retentionMs: number;
  readonly observer: EngineObserver;
  /** Undefined where no snapshots are saved. */
  readonly saved: SavedSnapshots | undefined;
}

interface BuiltSnapshot {
  readonly snapshot: Snapshot;
  readonly from: 'whole' | 'saved' | 'changes';
  /** How many entries of lists differ from the one that it was built on. */
  readonly newEntries: number;
}

interface RetainedSnapshot {
  readonly snapshot: Snapshot;
  readonly expiresAt: number;
}

/** One station in memory: its newest snapshot, and earlier ones that someone may still be paging through. */
export class StationView {
  readonly address: StationAddress;
  /** When it was last asked for or given to a reader, in milliseconds of `performance.now()`. */
  lastReadAt = Number.NEGATIVE_INFINITY;
  /** Whether its newest snapshot was given to a reader. */
  isShown = false;
  readonly #options: StationViewOptions;
  #snapshot: Snapshot | undefined;
  #retained: RetainedSnapshot[] = [];
  #building: Promise<void> | undefined;
  /** How many entries of lists differ from the snapshot that was saved last; infinite when there is none. */
  #unsavedEntries = 0;
  #savedAt = performance.now();
  #saving: AbortController | undefined;
  #wasReset = false;

  constructor(address: StationAddress, options: StationViewOptions) {
    this.address = address;
    this.#options = options;
  }

  get wasRead(): boolean {
    return this.lastReadAt !== Number.NEGATIVE_INFINITY;
  }

  get snapshot(): Snapshot | undefined {
    return this.#snapshot;
  }

  get snapshotCount(): number {
    return this.#retained.length + (this.#snapshot === undefined ? 0 : 1);
  }

  /** What its newest snapshot and the retained ones take together. */
  get estimatedBytes(): number {
    let bytes = this.#snapshot?.estimatedBytes ?? 0;
    for (const { snapshot } of this.#retained) bytes += snapshot.ownBytes;
    return bytes;
  }

  /** The newest snapshot if it is at or past `head`. */
  ifFresh(head: Head): Snapshot | undefined {
    const snapshot = this.#snapshot;
    return snapshot !== undefined && isAtOrPast(snapshot.head, head) ? snapshot : undefined;
  }

  /** How many revisions of `head` its newest snapshot lacks, if it has one: all of them in another epoch. */
  behind(head: Head): number {
    const have = this.#snapshot?.head;
    if (have === undefined) return 0;
    return have.epoch === head.epoch ? Math.max(0, head.number - have.number) : head.number + 1;
  }

  async waitUntilFresh(head: Head): Promise<Snapshot> {
    for (;;) {
      const joined = this.#building;
      this.#building ??= this.#catchUp(head).finally(() => {
        this.#building = undefined;
      });
      await this.#building;
      // A build that was under way may have asked the store before `head` was there; one begun here has not.
      const snapshot = joined === undefined ? this.#snapshot : this.ifFresh(head);
      if (snapshot !== undefined) return snapshot;
    }
  }

  /** The snapshot of exactly this revision, if it is still here. */
  find(revision: Revision): Snapshot | undefined {
    const current = this.#snapshot;
    if (current !== undefined && isRevision(current, revision)) return current;
    return this.#retained.find(({ snapshot }) => isRevision(snapshot, revision))?.snapshot;
  }

  /** Like `find`, but throws `revision_expired`. */
  pinned(revision: Revision): Snapshot {
    const snapshot = this.find(revision);
    if (snapshot !== undefined) return snapshot;
    throw new RosterError(
      'revision_expired',
      `revision ${formatRevision(revision)} is not available any more; list again from the start without it`,
    );
  }

  forgetExpired(now: number): void {
    if (this.#retained.some(({ expiresAt }) => expiresAt <= now)) {
      this.#retained = this.#retained.filter(({ expiresAt }) => expiresAt > now);
    }
  }

  /** Forgets the older half of the retained snapshots before their time. Returns how much memory that gives back. */
  forgetOlderHalf(): number {
    const before = this.estimatedBytes;
    this.#retained = this.#retained.slice(Math.ceil(this.#retained.length / 2));
    return before - this.estimatedBytes;
  }

  /** Forgets everything, what is being built on it included, so that the next read reads the whole station. */
  reset(): void {
    this.#wasReset = true;
    this.#snapshot = undefined;
    this.#retained = [];
  }

  /** Saves its newest snapshot if the one that was saved last is worth little by now. To be aborted is no failure. */
  async save({ slicer, signal }: SaveOptions): Promise<void> {
    const { saved } = this.#options;
    const snapshot = this.#snapshot;
    if (saved === undefined || snapshot === undefined || !this.#isWorthSaving(snapshot)) return;
    const unsavedEntries = this.#unsavedEntries;
    this.#unsavedEntries = 0;
    const saving = new AbortController();
    this.#saving = saving;
    const either = AbortSignal.any([signal, saving.signal]);
    try {
      await saved.save(this.address, snapshot, { slicer, signal: either });
      this.#savedAt = performance.now();
    } catch (error) {
      this.#unsavedEntries += unsavedEntries;
      if (!either.aborted) throw error;
    } finally {
      this.#saving = undefined;
    }
  }

  #isWorthSaving({ size }: Snapshot): boolean {
    if (size < largeStationSize) return false;
    const isOld = performance.now() - this.#savedAt > maxSavedAgeMs;
    return this.#unsavedEntries > (isOld ? 0 : size * unsavedEntriesPerResource);
  }

  async #catchUp(head: Head): Promise<void> {
    const startedAt = performance.now();
    const previous = this.#snapshot;
    const built = (await this.#buildOn(previous, head)) ?? (await this.#buildWhole());
    this.#options.observer.snapshotBuilt(built.from, performance.now() - startedAt);
    // Not what was built on a snapshot that was reset meanwhile.
    if (this.#snapshot === previous) this.#publish(built);
  }

  /** Undefined when there is nothing to build on, or the history since then is not known. */
  async #buildOn(previous: Snapshot | undefined, head: Head): Promise<BuiltSnapshot | undefined> {
    const base = previous ?? (await this.#restore());
    if (base === undefined) return undefined;
    const from = previous === undefined ? 'saved' : 'changes';
    // What was saved may be of a history that was lost since: this very head or the feed says that it is not.
    if (previous === undefined && isSame(base.head, head)) {
      return { snapshot: base, from, newEntries: 0 };
    }
    const feed = await this.#feedSince(base.head);
    if (feed === undefined) return undefined;
    const snapshot = await buildSnapshot(base, feed, this.#labelOf());
    return { snapshot, from, newEntries: snapshot.changedEntries };
  }

  async #buildWhole(): Promise<BuiltSnapshot> {
    const whole = await this.#options.store.changes(this.address);
    const labelOf = this.#labelOf();
    const snapshot = await buildSnapshot(emptySnapshot(whole.head, labelOf), whole, labelOf);
    return { snapshot, from: 'whole', newEntries: Number.POSITIVE_INFINITY };
  }

  async #restore(): Promise<Snapshot | undefined> {
    if (this.#wasReset) return undefined;
    return this.#options.saved?.load(this.address, (typeKey) => this.#labelOf()(typeKey));
  }

  /** To be asked for when the feed is open: only then the labels of all its types are known. */
  #labelOf(): (typeKey: string) => string {
    const labels = this.#options.labels();
    return (typeKey) => labels.labelOf(typeKey, defaultLocale);
  }

  /** Undefined when the station must be read anew: its history was compacted, or is not the one followed so far. */
  async #feedSince(head: Head): Promise<ChangeFeed | undefined> {
    try {
      return await this.#options.store.changes(this.address, head);
    } catch (error) {
      if (error instanceof RosterError && error.code === 'revision_expired') return undefined;
      throw error;
    }
  }

  /** Only a snapshot that a list was answered from is retained: writes that nobody looks at shall leave nothing. */
  #publish({ snapshot, from, newEntries }: BuiltSnapshot): void {
    const now = performance.now();
    this.forgetExpired(now);
    const previous = this.#snapshot;
    const wasShown = this.isShown;
    this.#snapshot = snapshot;
    this.#unsavedEntries = from === 'changes' ? this.#unsavedEntries + newEntries : newEntries;
    // Of a station that was laid out anew, all that was before would be kept in memory until it is saved.
    if (newEntries === Number.POSITIVE_INFINITY) this.#saving?.abort();
    this.isShown = false;
    if (previous === undefined) return;
    if (previous.head.epoch !== snapshot.head.epoch) this.#retained = [];
    else if (wasShown)
      this.#retained.push({ snapshot: previous, expiresAt: now + this.#options.retentionMs });
  }
}

function isSame(a: Head, b: Head): boolean {
  return a.epoch === b.epoch && a.number === b.number && a.revId === b.revId;
}

function isAtOrPast(have: Head, wanted: Head): boolean {
  if (have.epoch !== wanted.epoch) return false;
  return have.number > wanted.number || (have.number === wanted.number && have.revId === wanted.revId);
}

function isRevision(snapshot: Snapshot, revision: Revision): boolean {
  return snapshot.head.epoch === revision.epoch && snapshot.head.number === revision.number;
}
