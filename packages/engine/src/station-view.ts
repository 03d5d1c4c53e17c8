import {
  dataDamaged,
  defaultLocale,
  formatRevision,
  type Revision,
  RosterError,
  type StationAddress,
} from '@roster/contract';
import { buildSnapshot, emptySnapshot } from './index/build/build-snapshot.ts';
import { compact } from './index/build/compact.ts';
import type { GrowingSnapshot } from './index/build/growing-snapshot.ts';
import { putInOrder } from './index/build/rebuild.ts';
import type { Labels } from './index/render/type-labels.ts';
import type { LabelOf } from './index/rows/buckets.ts';
import type { SavedSnapshots, SaveOptions } from './index/saved/saved-snapshots.ts';
import { isWorthSaving } from './index/saved/worth-saving.ts';
import { searchBytes } from './index/search/search-bytes.ts';
import type { Snapshot } from './index/snapshot.ts';
import type { Feed, Head, KnownFeed, MaybePromise, Store } from './port/store.ts';
import { RetainedSnapshots } from './retained-snapshots.ts';
import type { FairTurns } from './scheduling/fair-turns.ts';
import { TimeSlicer } from './scheduling/time-slicer.ts';

type BuiltFrom = 'whole' | 'saved' | 'changes' | 'import';

/** Receives engine events, for metrics and logs. */
export interface EngineObserver {
  /** How long a read waited for its station to reach the head. Not called for reads that did not wait. */
  readWaited(ms: number): void;
  /**
   * A snapshot was built from the whole station, from a saved one, from its predecessor, or while its import arrived:
   * then the time counts from the commit.
   */
  snapshotBuilt(from: BuiltFrom, ms: number): void;
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

/** Between slices of work that nobody waits for. */
const restMs = 4;

/** Rows are only put in order without changes for so long: the next one ends it, and then it takes twice as long. */
const leastQuietMs = 2_000;

/** Segments that are emptied at a time: with 1 000 changes a second, half of that would do. */
const maxCompactions = 16;

/** What is known of how a station came to its head: its changes, if they continue where it is, or the whole of it. */
export interface KnownBuild {
  readonly feed?: KnownFeed | undefined;
  readonly grown?: GrowingSnapshot | undefined;
}

interface BuiltSnapshot {
  readonly snapshot: Snapshot;
  readonly from: BuiltFrom;
  /** How many resources differ from the snapshot it was built on. */
  readonly newRows: number;
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
  readonly #retained = new RetainedSnapshots();
  #building: Promise<void> | undefined;
  /** How many resources differ from the saved snapshot; infinite when there is none. */
  #unsavedRows = 0;
  #savedAt = performance.now();
  #saving: AbortController | undefined;
  #wasReset = false;
  /** Whether its rows are where they came to lie while an import arrived. */
  #isUnordered = false;
  #ordering: AbortController | undefined;
  #quietMs = leastQuietMs;
  #changedAt = Number.NEGATIVE_INFINITY;

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
    return this.#retained.size + (this.#snapshot === undefined ? 0 : 1);
  }

  /** Memory of its newest snapshot, what searches keep of it, and the retained ones. */
  get estimatedBytes(): number {
    const newest = this.#snapshot;
    if (newest === undefined) return 0;
    return newest.estimatedBytes + searchBytes(newest) + this.#retained.bytesBeside(newest);
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

  /** A station that is not in memory is loaded in the turn of `reader`, or of the first who asked. */
  async waitUntilFresh(head: Head, reader: string, known: KnownBuild = {}): Promise<Snapshot> {
    this.#ordering?.abort();
    for (;;) {
      const joined = this.#building;
      this.#building ??= this.#catchUp(head, reader, known).finally(() => {
        this.#building = undefined;
      });
      await this.#building;
      // A build already in progress may have asked the store too early; one begun here has not.
      const snapshot = joined === undefined ? this.#snapshot : this.ifFresh(head);
      if (snapshot !== undefined) return snapshot;
    }
  }

  /** The snapshot of exactly this revision, if it is still here. */
  find(revision: Revision): MaybePromise<Snapshot | undefined> {
    const newest = this.#snapshot;
    if (newest === undefined || isRevision(newest, revision)) return newest;
    return this.#retained.find(revision, newest);
  }

  /** Like `find`, but throws `revision_expired`. */
  pinned(revision: Revision): MaybePromise<Snapshot> {
    const found = this.find(revision);
    if (found instanceof Promise) return found.then((snapshot) => snapshot ?? throwExpired(revision));
    return found ?? throwExpired(revision);
  }

  forgetExpired(now: number): void {
    this.#retained.forgetExpired(now);
  }

  /** Forgets the older half of the retained snapshots early. Returns how much memory that frees. */
  forgetOlderHalf(): number {
    const before = this.estimatedBytes;
    this.#retained.forgetOlderHalf();
    return before - this.estimatedBytes;
  }

  /** Forgets everything, including builds in progress: the next read loads the whole station. */
  reset(): void {
    this.#wasReset = true;
    this.#snapshot = undefined;
    this.#retained.clear();
  }

  /** Frees the memory of ended versions, a little at a time. */
  async compact(slicer: TimeSlicer): Promise<void> {
    for (let step = 0; step < maxCompactions; step++) {
      while (this.#building !== undefined) await this.#building.catch(() => undefined);
      if (!(await this.#buildAside(() => this.#compactOnce(slicer)))) return;
    }
  }

  /** Returns whether it freed anything. */
  async #compactOnce(slicer: TimeSlicer): Promise<boolean> {
    const before = this.#snapshot;
    const compacted = before && (await compact(before, slicer));
    if (compacted === undefined) return false;
    // The same revision: if the one before was read, this was. A reset drops both.
    if (this.#snapshot === before) this.#snapshot = compacted;
    return true;
  }

  /** Moves the rows of a station that was indexed while it arrived into list order. The next change ends that. */
  async putInOrder(): Promise<void> {
    const previous = this.#snapshot;
    if (previous === undefined || !this.#isUnordered || this.#building !== undefined) return;
    if (performance.now() - this.#changedAt < this.#quietMs) return;
    const ordering = new AbortController();
    this.#ordering = ordering;
    try {
      await this.#buildAside(async () => {
        const slicer = new TimeSlicer({ restMs, signal: ordering.signal });
        const snapshot = await putInOrder(previous, this.#labelOf(), slicer);
        if (this.#snapshot !== previous) return;
        this.#snapshot = snapshot;
        this.#isUnordered = false;
        this.#retained.keepLast(previous);
      });
    } finally {
      this.#ordering = undefined;
      if (ordering.signal.aborted) this.#quietMs *= 2;
    }
  }

  /** Keeps other builds waiting meanwhile; who waits is not concerned if it fails. */
  async #buildAside<T>(build: () => Promise<T>): Promise<T> {
    const built = build();
    this.#building = built.then(nothing, nothing).finally(() => {
      this.#building = undefined;
    });
    return built;
  }

  /** Saves its newest snapshot if the saved one is outdated. Being aborted is no failure. */
  async save({ slicer, signal }: SaveOptions): Promise<void> {
    const { saved } = this.#options;
    const snapshot = this.#snapshot;
    if (saved === undefined || snapshot === undefined) return;
    const state = { unsavedRows: this.#unsavedRows, savedAgoMs: performance.now() - this.#savedAt };
    if (!isWorthSaving(snapshot, state)) return;
    const unsavedRows = this.#unsavedRows;
    this.#unsavedRows = 0;
    const saving = new AbortController();
    this.#saving = saving;
    const either = AbortSignal.any([signal, saving.signal]);
    try {
      await saved.save(this.address, snapshot, { slicer, signal: either });
      this.#savedAt = performance.now();
    } catch (error) {
      this.#unsavedRows += unsavedRows;
      if (!either.aborted) throw error;
    } finally {
      this.#saving = undefined;
    }
  }

  async #catchUp(head: Head, reader: string, { feed, grown: growing }: KnownBuild): Promise<void> {
    const startedAt = performance.now();
    const previous = this.#snapshot;
    // A reader may have loaded the import, and what came after it, before it was announced.
    const isBehind = this.ifFresh(head) === undefined;
    const grown = isBehind ? await growing?.finish(head) : undefined;
    const build = async () => (await this.#buildOn(previous, head, feed)) ?? (await this.#buildWhole());
    const built = grown
      ? { snapshot: grown, from: 'import' as const, newRows: Number.POSITIVE_INFINITY }
      : await (previous === undefined ? this.#options.loads.run(reader, build) : build());
    this.#options.observer?.snapshotBuilt(built.from, performance.now() - startedAt);
    // Drops a build on a snapshot that was reset meanwhile.
    if (this.#snapshot === previous) this.#publish(built);
  }

  /** Undefined when there is no base, or the changes since it are unknown. */
  async #buildOn(
    previous: Snapshot | undefined,
    head: Head,
    known: KnownFeed | undefined,
  ): Promise<BuiltSnapshot | undefined> {
    const base = previous ?? (await this.#restore());
    if (base === undefined) return undefined;
    const from = previous === undefined ? 'saved' : 'changes';
    // A file may belong to a lost history: an equal head or the feed rules that out.
    if (previous === undefined && isSame(base.head, head)) {
      return { snapshot: base, from, newRows: 0 };
    }
    const isNext = known !== undefined && isSame(base.head, known.since);
    const feed = isNext ? known : await this.#feedSince(base.head);
    if (feed === undefined) return undefined;
    const snapshot = await buildWholly(base, feed, this.#labelOf());
    return { snapshot, from, newRows: snapshot.changedRows };
  }

  async #buildWhole(): Promise<BuiltSnapshot> {
    const whole = await this.#options.store.feed(this.address);
    const labelOf = this.#labelOf();
    const snapshot = await buildWholly(emptySnapshot(whole.head, labelOf), whole, labelOf);
    return { snapshot, from: 'whole', newRows: Number.POSITIVE_INFINITY };
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
  #publish({ snapshot, from, newRows }: BuiltSnapshot): void {
    const now = performance.now();
    const previous = this.#snapshot;
    const wasShown = this.isShown;
    this.#snapshot = snapshot;
    if (from === 'changes') this.#changedAt = now;
    this.#unsavedRows = from === 'changes' ? this.#unsavedRows + newRows : newRows;
    // A save in progress would keep the previous layout in memory.
    if (newRows === Number.POSITIVE_INFINITY) this.#saving?.abort();
    const isShared = newRows !== Number.POSITIVE_INFINITY && from === 'changes';
    this.#isUnordered = from === 'import' || (isShared && this.#isUnordered);
    this.isShown = false;
    if (previous === undefined) return;
    // What expires frees rows that `previous` may still need, so that comes last.
    if (previous.head.epoch !== snapshot.head.epoch) this.#retained.clear();
    else if (wasShown) this.#retained.add(previous, now + this.#options.retentionMs);
    if (previous.log !== snapshot.log) this.#retained.keepLast(previous);
    this.forgetExpired(now);
  }
}

function nothing(): void {}

function throwExpired(revision: Revision): never {
  throw new RosterError(
    'revision_expired',
    `revision ${formatRevision(revision)} is no longer available; list again from the start without it`,
  );
}

/** Throws `data_damaged` unless the snapshot has as many resources as the store counted. */
async function buildWholly(base: Snapshot, feed: Feed, labelOf: LabelOf): Promise<Snapshot> {
  const snapshot = await buildSnapshot(base, feed, labelOf);
  if (snapshot.size === feed.size) return snapshot;
  throw dataDamaged('the station');
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
