import {
  dataDamaged,
  defaultLocale,
  formatRevision,
  type Revision,
  RosterError,
  type StationAddress,
} from '@roster/contract';
import { buildSnapshot, emptySnapshot } from './index/build/build-snapshot.ts';
import type { Labels } from './index/render/type-labels.ts';
import type { LabelOf } from './index/rows/buckets.ts';
import type { SavedSnapshots, SaveOptions } from './index/saved/saved-snapshots.ts';
import { isWorthSaving } from './index/saved/worth-saving.ts';
import { searchBytes } from './index/search/search-bytes.ts';
import type { Snapshot } from './index/snapshot.ts';
import { RenderedResources } from './port/rendered-resources.ts';
import type { Feed, FeedChunk, Head, StationChanges, Store } from './port/store.ts';
import type { FairTurns } from './scheduling/fair-turns.ts';

/** Receives engine events, for metrics and logs. */
export interface EngineObserver {
  /** How long a read waited for its station to reach the head. Not called for reads that did not wait. */
  readWaited(ms: number): void;
  /** A snapshot was built from the whole station, from a saved one, or from its predecessor. */
  snapshotBuilt(from: 'whole' | 'saved' | 'changes', ms: number): void;
  /** A station cannot be read because its data is damaged. Called once per revision. */
  stationDamaged(address: StationAddress, error: RosterError): void;
  /** A station was dropped from memory to make room. */
  stationEvicted(): void;
}

export interface StationViewOptions {
  readonly store: Store;
  readonly labels: () => Labels;
  readonly retentionMs: number;
  readonly observer: EngineObserver | undefined;
  /** Undefined if snapshots are not saved. */
  readonly saved: SavedSnapshots | undefined;
  /** Limits concurrent loads. */
  readonly loads: FairTurns;
}

interface BuiltSnapshot {
  readonly snapshot: Snapshot;
  readonly from: 'whole' | 'saved' | 'changes';
  /** How many list entries differ from the snapshot it was built on. */
  readonly newEntries: number;
}

interface RetainedSnapshot {
  readonly snapshot: Snapshot;
  readonly expiresAt: number;
}

/** One station in memory: its newest snapshot, and earlier ones that clients may still page through. */
export class StationView {
  readonly address: StationAddress;
  /** When it was last read, on the clock of `performance.now()`. */
  lastReadAt = Number.NEGATIVE_INFINITY;
  /** Whether its newest snapshot was read. */
  isShown = false;
  readonly #options: StationViewOptions;
  #snapshot: Snapshot | undefined;
  #retained: RetainedSnapshot[] = [];
  #building: Promise<void> | undefined;
  /** How many list entries differ from the saved snapshot; infinite when there is none. */
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

  /** Memory of its newest snapshot, what searches keep of it, and the retained ones. */
  get estimatedBytes(): number {
    const newest = this.#snapshot;
    let bytes = newest === undefined ? 0 : newest.estimatedBytes + searchBytes(newest);
    for (const { snapshot } of this.#retained) bytes += snapshot.ownBytes;
    return bytes;
  }

  /** The newest snapshot if it is at or past `head`. */
  ifFresh(head: Head): Snapshot | undefined {
    const snapshot = this.#snapshot;
    return snapshot !== undefined && isAtOrPast(snapshot.head, head) ? snapshot : undefined;
  }

  /** How many revisions its newest snapshot is behind `head`; all of them in another epoch. */
  behind(head: Head): number {
    const have = this.#snapshot?.head;
    if (have === undefined) return 0;
    return have.epoch === head.epoch ? Math.max(0, head.number - have.number) : head.number + 1;
  }

  /**
   * A station that is not in memory is loaded in the turn of `reader`, or of the first who asked. `changes` save a
   * question to the store if they continue where the station is.
   */
  async waitUntilFresh(head: Head, reader: string, changes?: StationChanges): Promise<Snapshot> {
    for (;;) {
      const joined = this.#building;
      this.#building ??= this.#catchUp(head, reader, changes).finally(() => {
        this.#building = undefined;
      });
      await this.#building;
      // A build already in progress may have asked the store too early; one begun here has not.
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
      `revision ${formatRevision(revision)} is no longer available; list again from the start without it`,
    );
  }

  forgetExpired(now: number): void {
    if (this.#retained.some(({ expiresAt }) => expiresAt <= now)) {
      this.#retained = this.#retained.filter(({ expiresAt }) => expiresAt > now);
    }
  }

  /** Forgets the older half of the retained snapshots early. Returns how much memory that frees. */
  forgetOlderHalf(): number {
    const before = this.estimatedBytes;
    this.#retained = this.#retained.slice(Math.ceil(this.#retained.length / 2));
    return before - this.estimatedBytes;
  }

  /** Forgets everything, including builds in progress: the next read loads the whole station. */
  reset(): void {
    this.#wasReset = true;
    this.#snapshot = undefined;
    this.#retained = [];
  }

  /** Saves its newest snapshot if the saved one is outdated. Being aborted is no failure. */
  async save({ slicer, signal }: SaveOptions): Promise<void> {
    const { saved } = this.#options;
    const snapshot = this.#snapshot;
    if (saved === undefined || snapshot === undefined) return;
    const state = { unsavedEntries: this.#unsavedEntries, savedAgoMs: performance.now() - this.#savedAt };
    if (!isWorthSaving(snapshot, state)) return;
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

  async #catchUp(head: Head, reader: string, changes?: StationChanges): Promise<void> {
    const startedAt = performance.now();
    const previous = this.#snapshot;
    const build = async () => (await this.#buildOn(previous, head, changes)) ?? (await this.#buildWhole());
    const built = await (previous === undefined ? this.#options.loads.run(reader, build) : build());
    this.#options.observer?.snapshotBuilt(built.from, performance.now() - startedAt);
    // Drops a build on a snapshot that was reset meanwhile.
    if (this.#snapshot === previous) this.#publish(built);
  }

  /** Undefined when there is no base, or the changes since it are unknown. */
  async #buildOn(
    previous: Snapshot | undefined,
    head: Head,
    changes: StationChanges | undefined,
  ): Promise<BuiltSnapshot | undefined> {
    const base = previous ?? (await this.#restore());
    if (base === undefined) return undefined;
    const from = previous === undefined ? 'saved' : 'changes';
    // A file may belong to a lost history: an equal head or the feed rules that out.
    if (previous === undefined && isSame(base.head, head)) {
      return { snapshot: base, from, newEntries: 0 };
    }
    const isNext = changes !== undefined && isSame(base.head, changes.since);
    const feed = isNext ? feedOf(head, changes) : await this.#feedSince(base.head);
    if (feed === undefined) return undefined;
    const snapshot = await buildWholly(base, feed, this.#labelOf());
    return { snapshot, from, newEntries: snapshot.changedEntries };
  }

  async #buildWhole(): Promise<BuiltSnapshot> {
    const whole = await this.#options.store.feed(this.address);
    const labelOf = this.#labelOf();
    const snapshot = await buildWholly(emptySnapshot(whole.head, labelOf), whole, labelOf);
    return { snapshot, from: 'whole', newEntries: Number.POSITIVE_INFINITY };
  }

  async #restore(): Promise<Snapshot | undefined> {
    if (this.#wasReset) return undefined;
    return this.#options.saved?.load(this.address, (typeKey) => this.#labelOf()(typeKey));
  }

  /** Call it when the feed is open: only then the labels of all its types are known. */
  #labelOf(): (typeKey: string) => string {
    const labels = this.#options.labels();
    return (typeKey) => labels.labelOf(typeKey, defaultLocale);
  }

  /** Undefined when the station must be read again: its history was compacted or is another one. */
  async #feedSince(head: Head): Promise<Feed | undefined> {
    try {
      return await this.#options.store.feed(this.address, head);
    } catch (error) {
      if (error instanceof RosterError && error.code === 'revision_expired') return undefined;
      throw error;
    }
  }

  /** Only snapshots that were read are retained. */
  #publish({ snapshot, from, newEntries }: BuiltSnapshot): void {
    const now = performance.now();
    this.forgetExpired(now);
    const previous = this.#snapshot;
    const wasShown = this.isShown;
    this.#snapshot = snapshot;
    this.#unsavedEntries = from === 'changes' ? this.#unsavedEntries + newEntries : newEntries;
    // A save in progress would keep the previous layout in memory.
    if (newEntries === Number.POSITIVE_INFINITY) this.#saving?.abort();
    this.isShown = false;
    if (previous === undefined) return;
    if (previous.head.epoch !== snapshot.head.epoch) this.#retained = [];
    else if (wasShown)
      this.#retained.push({ snapshot: previous, expiresAt: now + this.#options.retentionMs });
  }
}

/** Throws `data_damaged` unless the snapshot has as many resources as the store counted. */
async function buildWholly(base: Snapshot, feed: Feed, labelOf: LabelOf): Promise<Snapshot> {
  const snapshot = await buildSnapshot(base, feed, labelOf);
  if (snapshot.size === feed.size) return snapshot;
  throw dataDamaged('the station');
}

function feedOf(head: Head, { size, put, removed }: StationChanges): Feed {
  async function* chunks(): AsyncGenerator<FeedChunk> {
    yield { put: RenderedResources.of(put), removed };
  }
  return { head, size, chunks: chunks() };
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
