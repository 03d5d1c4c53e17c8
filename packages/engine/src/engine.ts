import {
  defaultLocale,
  type Revision,
  RosterError,
  type StationAddress,
  stationKey,
  stationNotFound,
} from '@roster/contract';
import { DamagedStations } from './damaged-stations.ts';
import { Everywhere, type EverywhereSearch, type FoundEverywhere } from './everywhere/everywhere.ts';
import { GrowingSnapshot } from './index/build/growing-snapshot.ts';
import { checkSnapshot } from './index/check-snapshot.ts';
import { Labels } from './index/render/type-labels.ts';
import type { SavedSnapshots, SaveOptions } from './index/saved/saved-snapshots.ts';
import { largeStationSize } from './index/saved/worth-saving.ts';
import type { Snapshot } from './index/snapshot.ts';
import type {
  ArrivingStation,
  Head,
  KnownMove,
  MaybePromise,
  Station,
  Store,
  TypeCatalog,
} from './port/store.ts';
import { FairTurns } from './scheduling/fair-turns.ts';
import type { TimeSlicer } from './scheduling/time-slicer.ts';
import { type EngineObserver, StationView } from './station-view.ts';

export interface EngineOptions {
  /** Memory for all snapshots; above it the least recently read stations are dropped. */
  readonly memoryBudgetBytes: number;
  /**
   * How long a superseded snapshot stays readable, memory permitting. A station read within this time is
   * never dropped.
   */
  readonly snapshotRetentionMs: number;
  readonly observer?: EngineObserver;
  /** Where large stations are saved, if anywhere. */
  readonly saved?: SavedSnapshots | undefined;
}

export interface EngineSize {
  readonly stations: number;
  /** The newest of each station, and retained superseded ones. */
  readonly snapshots: number;
  readonly resources: number;
  /** With what is held for searches of all stations, and of stations that are arriving. */
  readonly bytes: number;
}

export type ConsistencyResult =
  | { readonly outcome: 'consistent' | 'skipped' }
  | { readonly outcome: 'inconsistent'; readonly reason: string };

interface AskedSnapshot {
  readonly pin: Revision | undefined;
  readonly reader: string;
}

interface SharedRead {
  readonly head: Promise<Head | undefined>;
  readonly snapshot: Promise<Snapshot>;
}

/** Each load holds memory that is not in a snapshot yet and keeps the store busy. */
const loadsAtOnce = { atOnce: 4, atOncePerParty: 2 };

/** A resource takes less than this in memory. */
const bytesPerResource = 1_024;

/** The reader on whose behalf the server itself loads stations. */
const ourselves = '';

/** The in-memory view of all stations. Every read first asks the store how fresh it must be. */
export class Engine {
  readonly #store: Store;
  readonly #options: EngineOptions;
  readonly #views = new Map<string, StationView>();
  readonly #loads = new FairTurns(loadsAtOnce);
  readonly #damaged = new DamagedStations();
  readonly #everywhere: Everywhere;
  readonly #growing = new Map<ArrivingStation, GrowingSnapshot>();
  #ordering: Promise<void> | undefined;
  #labels: Labels | undefined;
  /** The last read that still waits for its head. */
  #lastRead: SharedRead | undefined;
  #lastSave: Promise<void> = Promise.resolve();

  constructor(store: Store, options: EngineOptions) {
    this.#store = store;
    this.#options = options;
    this.#everywhere = new Everywhere({
      store,
      labelOf: (typeKey) => this.knownLabels().labelOf(typeKey, defaultLocale),
      read: (address, reader) => this.read(address, undefined, reader),
      maxResources: Math.floor(options.memoryBudgetBytes / bytesPerResource),
    });
    store.onBeforeVisible(
      (address, head, move) => this.#follow(address, head, move),
      (address) => isFollowed(this.#views.get(stationKey(address))),
    );
    store.onStationArriving((arriving) => this.#grow(arriving));
  }

  /**
   * The newest snapshot, which shows every write acknowledged before this call, or exactly the pinned one.
   * Throws `station_not_found` or `revision_expired`. Returns synchronously when nothing has to be loaded;
   * otherwise loads take turns between readers.
   */
  read(address: StationAddress, pin?: Revision, reader = ourselves): MaybePromise<Snapshot> {
    const head = this.#store.head(address);
    if (!(head instanceof Promise)) return this.#readAt(address, head, reader, pin);
    if (pin !== undefined) return head.then((known) => this.#readAt(address, known, reader, pin));
    return this.#readTogether(address, head, reader);
  }

  /** Searches all stations. Every write acknowledged before this call shows. Throws `search_too_wide`. */
  searchEverywhere(search: EverywhereSearch): Promise<FoundEverywhere> {
    return this.#everywhere.search(search);
  }

  /** Loads a station before anyone reads it. Until someone does, it is the first to be dropped. */
  async load(address: StationAddress): Promise<void> {
    const head = await this.#store.head(address);
    if (head === undefined) return;
    await this.#untilFresh(this.#viewOf(address), head, ourselves);
    this.#evict(performance.now());
  }

  /** Like `load`, for a large station that fits into half of the memory together with the others. */
  async loadAhead({ address, counts }: Station): Promise<void> {
    const isWorthIt = counts.resources >= largeStationSize;
    if (isWorthIt && counts.resources <= this.#room()) await this.load(address);
  }

  /** As fresh as a read that begins now. */
  labels(): MaybePromise<Labels> {
    const catalog = this.#store.catalog();
    if (catalog instanceof Promise) return catalog.then((known) => this.#labelsOf(known));
    return this.#labelsOf(catalog);
  }

  /** The labels of all types that resources in earlier snapshots have. */
  knownLabels(): Labels {
    return this.#labelsOf(this.#store.knownCatalog());
  }

  /** The stations in memory that have been read; they are kept up to date. */
  followed(): StationAddress[] {
    return this.#followed().map((view) => view.address);
  }

  size(): EngineSize {
    const bytes = this.#everywhere.estimatedBytes + this.#growingBytes();
    const size = { stations: 0, snapshots: 0, resources: 0, bytes };
    for (const { snapshot, snapshotCount, estimatedBytes } of this.#views.values()) {
      if (snapshot === undefined) continue;
      size.stations++;
      size.snapshots += snapshotCount;
      size.resources += snapshot.size;
      size.bytes += estimatedBytes;
    }
    return size;
  }

  /** How many of the stations that were read are damaged. */
  get damagedStations(): number {
    return this.#damaged.size;
  }

  /** How many revisions behind the store the slowest followed station is. */
  async lag(): Promise<number> {
    const lags = this.#followed().map(async (view) => {
      const head = await this.#store.head(view.address);
      return head === undefined ? 0 : view.behind(head);
    });
    return Math.max(0, ...(await Promise.all(lags)));
  }

  /** Drops snapshots and stations that are no longer needed. Call it every few seconds. */
  tidy(): void {
    const now = performance.now();
    for (const view of this.#views.values()) view.forgetExpired(now);
    this.#evict(now);
    this.#ordering ??= this.#putInOrder().finally(() => {
      this.#ordering = undefined;
    });
  }

  /** Frees memory of what has changed. Call it every few seconds. */
  async compact(slicer: TimeSlicer): Promise<void> {
    for (const view of this.#views.values()) await view.compact(slicer);
  }

  /**
   * Saves large stations that have changed much since their last save, one by one. Continues after a failure
   * and throws the first one at the end.
   */
  save(options: SaveOptions): Promise<void> {
    const save = this.#lastSave.then(() => this.#saveAll(options));
    this.#lastSave = save.catch(() => undefined);
    return save;
  }

  /** Compares a station in memory with the store at one revision, and rebuilds it if they differ. */
  async check(address: StationAddress, slicer?: TimeSlicer): Promise<ConsistencyResult> {
    const view = this.#views.get(stationKey(address));
    if (view?.snapshot === undefined) return { outcome: 'skipped' };
    const { head, digest } = await this.#store.digest(address);
    const snapshot = await view.find(head);
    if (snapshot === undefined) return { outcome: 'skipped' };
    const reason = await checkSnapshot(snapshot, digest, slicer);
    if (reason === undefined) return { outcome: 'consistent' };
    view.reset();
    await this.#options.saved?.remove(address).catch(() => undefined);
    return { outcome: 'inconsistent', reason };
  }

  /** A store returns the same promise to everyone who asks at the same time; they share one snapshot. */
  #readTogether(address: StationAddress, head: Promise<Head | undefined>, reader: string): Promise<Snapshot> {
    if (this.#lastRead?.head !== head) {
      const snapshot = head.then((known) => {
        // Later callers get another promise.
        if (this.#lastRead?.head === head) this.#lastRead = undefined;
        return this.#readAt(address, known, reader);
      });
      this.#lastRead = { head, snapshot };
    }
    return this.#lastRead.snapshot;
  }

  /** Every list passes here, so it takes separate parameters rather than allocating an options object. */
  #readAt(
    address: StationAddress,
    head: Head | undefined,
    reader: string,
    pin?: Revision,
  ): MaybePromise<Snapshot> {
    if (head === undefined) {
      this.#damaged.forget(address);
      throw stationNotFound(address);
    }
    const view = this.#viewOf(address);
    view.lastReadAt = performance.now();
    const snapshot = view.ifFresh(head);
    if (snapshot === undefined) return this.#readWhenFresh(view, head, { pin, reader });
    view.isShown = true;
    return pin === undefined ? snapshot : view.pinned(pin);
  }

  async #readWhenFresh(view: StationView, head: Head, { pin, reader }: AskedSnapshot): Promise<Snapshot> {
    const waitingSince = performance.now();
    const snapshot = await this.#untilFresh(view, head, reader);
    view.isShown = true;
    view.lastReadAt = performance.now();
    this.#options.observer?.readWaited(view.lastReadAt - waitingSince);
    this.#evict(view.lastReadAt);
    return pin === undefined ? snapshot : view.pinned(pin);
  }

  async #untilFresh(
    view: StationView,
    head: Head,
    reader: string,
    grown?: GrowingSnapshot,
  ): Promise<Snapshot> {
    const { address } = view;
    try {
      this.#damaged.requireSound(address, head);
      const snapshot = await view.waitUntilFresh(head, reader, { grown });
      this.#damaged.forget(address);
      return snapshot;
    } catch (error) {
      if (error instanceof RosterError && error.code === 'data_damaged') {
        if (this.#damaged.note(address, head, error)) this.#options.observer?.stationDamaged(address, error);
      }
      // A station deleted in the meantime must not leave an empty view behind.
      if (view.snapshot === undefined) this.#forget(view);
      throw error;
    }
  }

  async #saveAll(options: SaveOptions): Promise<void> {
    const failures: unknown[] = [];
    // Views removed in the meantime are skipped.
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
      observer: this.#options.observer,
      saved: this.#options.saved,
      loads: this.#loads,
    });
    this.#views.set(key, view);
    return view;
  }

  /** Stations that nobody reads are updated on their next read, and large imports loaded for their first. */
  async #follow(
    address: StationAddress,
    head: Head | undefined,
    { feed, arrived }: KnownMove,
  ): Promise<void> {
    const view = this.#views.get(stationKey(address));
    const grown = arrived && this.#growing.get(arrived);
    const isNew = view === undefined && feed === undefined;
    try {
      if (head === undefined) this.#forgetDeleted(address);
      else if (isFollowed(view)) await view.waitUntilFresh(head, ourselves, { feed, grown });
      // Not awaited: the import is acknowledged meanwhile.
      else if (isNew && !grown) setImmediate(() => void this.#loadImported(address));
      // Small stations are left to their first reader.
      else if (isNew && grown && arrived && arrived.size >= largeStationSize) {
        void this.#showGrown(address, head, grown);
      }
    } finally {
      if (arrived) this.#growing.delete(arrived);
    }
  }

  async #loadImported(address: StationAddress): Promise<void> {
    try {
      const station = await this.#store.station(address);
      if (station !== undefined) await this.loadAhead(station);
    } catch {
      // The first reader of the station gets the error.
    }
  }

  async #showGrown(address: StationAddress, head: Head, grown: GrowingSnapshot): Promise<void> {
    try {
      await this.#untilFresh(this.#viewOf(address), head, ourselves, grown);
      this.#evict(performance.now());
    } catch {
      // The first reader of the station gets the error.
    }
  }

  #grow(arriving: ArrivingStation): void {
    const growing = new GrowingSnapshot(arriving, {
      room: () => this.#room(),
      onGivenUp: () => this.#growing.delete(arriving),
    });
    this.#growing.set(arriving, growing);
  }

  #growingBytes(): number {
    let rows = 0;
    for (const growing of this.#growing.values()) rows += growing.rows;
    return rows * bytesPerResource;
  }

  /** How many resources that nobody reads yet fit into half of the memory, beside all that is there. */
  #room(): number {
    return (this.#options.memoryBudgetBytes / 2 - this.size().bytes) / bytesPerResource;
  }

  /** One by one, while no import arrives that it would slow down. */
  async #putInOrder(): Promise<void> {
    for (const view of this.#views.values()) {
      // A view that fails, or is changed meanwhile, stays as it is until the next time.
      if (this.#growing.size === 0) await view.putInOrder().catch(() => undefined);
    }
  }

  #forgetDeleted(address: StationAddress): void {
    this.#damaged.forget(address);
    this.#views.delete(stationKey(address));
    // Not awaited: a leftover file belongs to another epoch than a new station of that address.
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

  /** What is held for searches everywhere goes first, then idle stations, then the oldest retained snapshots. */
  #evict(now: number): void {
    const loaded = [...this.#views.values()].filter((view) => view.snapshot !== undefined);
    let excess = this.#everywhere.estimatedBytes + this.#growingBytes() - this.#options.memoryBudgetBytes;
    for (const view of loaded) excess += view.estimatedBytes;
    const idleSince = now - this.#options.snapshotRetentionMs;
    if (excess > 0) excess -= this.#everywhere.forgetUnlessUsedSince(idleSince);
    const idle = loaded
      .filter((view) => view.lastReadAt < idleSince)
      .sort((a, b) => a.lastReadAt - b.lastReadAt);
    for (const view of idle) {
      if (excess <= 0) return;
      excess -= view.estimatedBytes;
      this.#forget(view);
      this.#options.observer?.stationEvicted();
    }
    for (const view of loaded.sort((a, b) => b.estimatedBytes - a.estimatedBytes)) {
      if (excess > 0) excess -= view.forgetOlderHalf();
    }
  }
}

/** Views that were never read are updated when they are. */
function isFollowed(view: StationView | undefined): view is StationView {
  return view?.snapshot !== undefined && view.wasRead;
}
