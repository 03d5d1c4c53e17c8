import { type Revision, type StationAddress, stationKey, stationNotFound } from '@roster/contract';
import { type EngineObserver, nobody } from './engine-observer.ts';
import { Labels } from './labels.ts';
import type { SavedSnapshots, SaveOptions } from './saved/saved-snapshots.ts';
import { checkSnapshot } from './snapshot/check-snapshot.ts';
import type { Snapshot } from './snapshot/snapshot.ts';
import { StationView } from './station-view.ts';
import type { Head, MaybePromise, Store, TypeCatalog } from './store.ts';

export interface EngineOptions {
  /** What all snapshots may take together before the least recently read stations are dropped. */
  readonly memoryBudgetBytes: number;
  /**
   * How long a snapshot that was read can still be read after it was superseded, memory permitting. A
   * station read within this time is never dropped.
   */
  readonly snapshotRetentionMs: number;
  readonly observer?: EngineObserver;
  /** Where large stations are saved; nowhere without it. */
  readonly saved?: SavedSnapshots | undefined;
}

/** What is held in memory. */
export interface EngineSize {
  readonly stations: number;
  /** The newest of each station, and the superseded ones that are retained. */
  readonly snapshots: number;
  /** In the newest snapshots. */
  readonly resources: number;
  /** An estimate. */
  readonly bytes: number;
}

export type ConsistencyResult =
  | { readonly outcome: 'consistent' | 'skipped' }
  | { readonly outcome: 'inconsistent'; readonly reason: string };

interface SharedRead {
  readonly head: Promise<Head | undefined>;
  readonly snapshot: Promise<Snapshot>;
}

/** The view of all stations that lists are answered from. For every read it asks the store how new it must be. */
export class Engine {
  readonly #store: Store;
  readonly #options: EngineOptions;
  readonly #observer: EngineObserver;
  readonly #views = new Map<string, StationView>();
  #labels: Labels | undefined;
  /** The last one that waits for its head. */
  #lastRead: SharedRead | undefined;
  #lastSave: Promise<void> = Promise.resolve();

  constructor(store: Store, options: EngineOptions) {
    this.#store = store;
    this.#options = options;
    this.#observer = options.observer ?? nobody;
    store.onBeforeVisible((address, head) => this.#follow(address, head));
  }

  /**
   * The newest snapshot, which shows every write acknowledged before this call, or exactly the pinned one.
   * Throws `station_not_found` or `revision_expired`. Answers at once when there is nothing to wait for.
   */
  read(address: StationAddress, pin?: Revision): MaybePromise<Snapshot> {
    const head = this.#store.head(address);
    if (!(head instanceof Promise)) return this.#readAt(address, head, pin);
    if (pin !== undefined) return head.then((known) => this.#readAt(address, known, pin));
    return this.#readTogether(address, head);
  }

  /** Brings a station into memory before anyone reads it. Until someone does, it is the first to be dropped. */
  async load(address: StationAddress): Promise<void> {
    const head = await this.#store.head(address);
    if (head === undefined) return;
    await this.#untilFresh(this.#viewOf(address), head);
    this.#evict(performance.now());
  }

  /** As fresh as a read that begins now. */
  labels(): MaybePromise<Labels> {
    const catalog = this.#store.catalog();
    if (catalog instanceof Promise) return catalog.then((known) => this.#labelsOf(known));
    return this.#labelsOf(catalog);
  }

  /** The labels for snapshots that were read before: those of all types that their resources have. */
  knownLabels(): Labels {
    return this.#labelsOf(this.#store.knownCatalog());
  }

  /** The stations that were read and are in memory, which are kept up to date. */
  followed(): StationAddress[] {
    return this.#followed().map((view) => view.address);
  }

  size(): EngineSize {
    const size = { stations: 0, snapshots: 0, resources: 0, bytes: 0 };
    for (const { snapshot, snapshotCount, estimatedBytes } of this.#views.values()) {
      if (snapshot === undefined) continue;
      size.stations++;
      size.snapshots += snapshotCount;
      size.resources += snapshot.size;
      size.bytes += estimatedBytes;
    }
    return size;
  }

  /** How many revisions the store is ahead of that one of `followed` which is furthest behind. */
  async lag(): Promise<number> {
    const lags = this.#followed().map(async (view) => {
      const head = await this.#store.head(view.address);
      return head === undefined ? 0 : view.behind(head);
    });
    return Math.max(0, ...(await Promise.all(lags)));
  }

  /** Drops snapshots and stations that are no longer needed. To be called every few seconds. */
  tidy(): void {
    const now = performance.now();
    for (const view of this.#views.values()) view.forgetExpired(now);
    this.#evict(now);
  }

  /**
   * Saves the large stations of which much has changed since they were saved last, one after the other. Goes on with the
   * next one when one fails, and throws the first failure at the end.
   */
  save(options: SaveOptions): Promise<void> {
    const save = this.#lastSave.then(() => this.#saveAll(options));
    this.#lastSave = save.catch(() => undefined);
    return save;
  }

  /** Compares a station held in memory with the store, at one revision. One that differs is built anew. */
  async check(address: StationAddress): Promise<ConsistencyResult> {
    const view = this.#views.get(stationKey(address));
    if (view?.snapshot === undefined) return { outcome: 'skipped' };
    const { head, digest } = await this.#store.digest(address);
    const snapshot = view.find(head);
    if (snapshot === undefined) return { outcome: 'skipped' };
    const reason = await checkSnapshot(snapshot, digest);
    if (reason === undefined) return { outcome: 'consistent' };
    view.reset();
    await this.#options.saved?.remove(address).catch(() => undefined);
    return { outcome: 'inconsistent', reason };
  }

  /** A store gives the same promise to all who ask together; they get the same snapshot then. */
  #readTogether(address: StationAddress, head: Promise<Head | undefined>): Promise<Snapshot> {
    if (this.#lastRead?.head !== head) {
      const snapshot = head.then((known) => {
        // Whoever asks from now on is given another promise.
        if (this.#lastRead?.head === head) this.#lastRead = undefined;
        return this.#readAt(address, known, undefined);
      });
      this.#lastRead = { head, snapshot };
    }
    return this.#lastRead.snapshot;
  }

  #readAt(
    address: StationAddress,
    head: Head | undefined,
    pin: Revision | undefined,
  ): MaybePromise<Snapshot> {
    if (head === undefined) throw stationNotFound(address);
    const view = this.#viewOf(address);
    view.lastReadAt = performance.now();
    const snapshot = view.ifFresh(head);
    if (snapshot === undefined) return this.#readWhenFresh(view, head, pin);
    view.isShown = true;
    return pin === undefined ? snapshot : view.pinned(pin);
  }

  async #readWhenFresh(view: StationView, head: Head, pin: Revision | undefined): Promise<Snapshot> {
    const waitingSince = performance.now();
    const snapshot = await this.#untilFresh(view, head);
    view.isShown = true;
    view.lastReadAt = performance.now();
    this.#observer.readWaited(view.lastReadAt - waitingSince);
    this.#evict(view.lastReadAt);
    return pin === undefined ? snapshot : view.pinned(pin);
  }

  async #untilFresh(view: StationView, head: Head): Promise<Snapshot> {
    try {
      return await view.waitUntilFresh(head);
    } catch (error) {
      // A station that was deleted meanwhile must not leave an empty view behind.
      if (view.snapshot === undefined) this.#forget(view);
      throw error;
    }
  }

  async #saveAll(options: SaveOptions): Promise<void> {
    const failures: unknown[] = [];
    // Those that go meanwhile do not come up any more.
    for (const view of this.#views.values()) {
      if (options.signal.aborted) break;
      await view.save(options).catch((error) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  #followed(): StationView[] {
    return [...this.#views.values()].filter((view) => view.wasRead);
  }

  #viewOf(address: StationAddress): StationView {
    const key = stationKey(address);
    const known = this.#views.get(key);
    if (known !== undefined) return known;
    const view = new StationView(address, {
      store: this.#store,
      labels: () => this.knownLabels(),
      retentionMs: this.#options.snapshotRetentionMs,
      observer: this.#observer,
      saved: this.#options.saved,
    });
    this.#views.set(key, view);
    return view;
  }

  /** Stations nobody reads are left alone: they are brought up to date when someone does. */
  async #follow(address: StationAddress, head: Head | undefined): Promise<void> {
    const view = this.#views.get(stationKey(address));
    if (head === undefined) this.#forgetDeleted(address);
    else if (view?.snapshot !== undefined && view.wasRead) await view.waitUntilFresh(head);
  }

  #forgetDeleted(address: StationAddress): void {
    this.#views.delete(stationKey(address));
    // Nobody waits for it: what is left is of another epoch than a new station of that address.
    this.#options.saved?.remove(address).catch(() => undefined);
  }

  #labelsOf(catalog: TypeCatalog): Labels {
    if (this.#labels?.revision !== catalog.revision) this.#labels = new Labels(catalog);
    return this.#labels;
  }

  #forget(view: StationView): void {
    const key = stationKey(view.address);
    if (this.#views.get(key) === view) this.#views.delete(key);
  }

  /** Idle stations go first. When there are none, what was promised to readers longest ago has to give way. */
  #evict(now: number): void {
    const loaded = [...this.#views.values()].filter((view) => view.snapshot !== undefined);
    let excess = -this.#options.memoryBudgetBytes;
    for (const view of loaded) excess += view.estimatedBytes;
    const idle = loaded
      .filter((view) => view.lastReadAt < now - this.#options.snapshotRetentionMs)
      .sort((a, b) => a.lastReadAt - b.lastReadAt);
    for (const view of idle) {
      if (excess <= 0) return;
      excess -= view.estimatedBytes;
      this.#forget(view);
      this.#observer.stationEvicted();
    }
    for (const view of loaded.sort((a, b) => b.estimatedBytes - a.estimatedBytes)) {
      if (excess > 0) excess -= view.forgetOlderHalf();
    }
  }
}
