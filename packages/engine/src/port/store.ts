import type {
  HistoryPosition,
  RecordError,
  RemovalAllowance,
  Resource,
  ResourcePatch,
  ResourceType,
  Revision,
  Role,
  RosterError,
  Scope,
  StationAddress,
  VersionCondition,
  ViewSearch,
} from '@roster/contract';
import type { RenderedResources } from './rendered-resources.ts';

/** The newest revision of a station. `revId` is random: it exposes a history that lost its tail. */
export interface Head extends Revision {
  readonly revId: string;
}

/** All resource types with their labels. `revision` grows with every change to any of them. */
export interface TypeCatalog {
  readonly revision: number;
  /** Some types cannot be read; an operation that needs a type missing here throws `data_damaged`. */
  readonly isDamaged: boolean;
  readonly types: ReadonlyMap<string, ResourceType>;
}

/** How many resources of each kind a station has at its head. */
export interface StationCounts {
  readonly resources: number;
  readonly alertable: number;
  /** Alertable resources without alert rules. */
  readonly uncovered: number;
  /** By state; states without resources are left out. */
  readonly byState: Readonly<Record<string, number>>;
}

export interface Station {
  readonly address: StationAddress;
  readonly head: Head;
  readonly counts: StationCounts;
}

/** Filters combine with AND. */
export interface StationQuery {
  readonly subscription?: string | undefined;
  readonly resourceGroup?: string | undefined;
  readonly zone?: string | undefined;
  readonly name?: string | undefined;
  readonly namePrefix?: string | undefined;
  /** Only stations in at least one of these scopes; an empty list matches none. */
  readonly scopes?: readonly Scope[] | undefined;
  readonly offset: number;
  readonly limit: number;
}

export interface StationPage {
  /** In order of subscription, resource group, zone and name, by UTF-16 code units. */
  readonly stations: readonly Station[];
  readonly total: number;
}

/** A resource with the revision that last changed it. */
export interface StoredResource {
  readonly resource: Resource;
  readonly revision: Revision;
  readonly changedAtMs: number;
  readonly changedBy: string | undefined;
}

interface WriteCounts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly removed: number;
  /** The keys of types that were not in the catalog before, sorted. */
  readonly newTypes: readonly string[];
}

export interface WriteResult extends WriteCounts {
  readonly head: Head;
}

/** A record and where it began, for reporting conflicts found while writing. */
export interface StagedRecord {
  readonly line: number;
  /** Omitted when it is 1. */
  readonly column?: number;
  /** In a batch that is no patch, a whole `ResourceRecord`. */
  readonly record: ResourcePatch;
}

export interface WriteCondition {
  /** Write only if the station is at this revision, else throw `revision_mismatch`. */
  readonly ifRevision?: Revision | undefined;
}

export interface WriteOptions extends WriteCondition {
  /** Who writes, as the history tells it. Without control characters. */
  readonly changedBy?: string | undefined;
}

/**
 * `replace` also removes every resource that the batch does not name, and `patch` creates none: a record of an unknown
 * resource is an error. All modes write the records themselves the same way: fields that a record omits keep their
 * stored values.
 */
export type BatchMode = 'merge' | 'replace' | 'patch';

export interface BatchOptions extends WriteOptions {
  readonly mode?: BatchMode;
  /** What a replace may remove, `half` by default; more throws `removal_refused`. */
  readonly allowRemoval?: RemovalAllowance;
  /** The batch will be planned, not committed; a store may skip work that only a commit needs. */
  readonly dryRun?: boolean;
}

/** What a batch would do to one resource: create it without `before`, remove it without `after`. */
export interface PlannedChange {
  /** Where the record began; undefined for a removal. */
  readonly line: number | undefined;
  readonly before: Resource | undefined;
  readonly after: Resource | undefined;
}

/** What `commit` would do to the station as it is at `head`. */
export interface BatchPlan extends WriteCounts {
  readonly head: Head;
  /** The first changes: those of records in their order, then removals by id. The counts cover all of them. */
  readonly changes: readonly PlannedChange[];
  /** Why `commit` would fail: a `removal_refused`. */
  readonly refusal: RosterError | undefined;
}

export interface BatchErrors {
  /** The errors of the lowest lines, in line order, at most `limits.maxReportedErrors`. */
  readonly errors: readonly RecordError[];
  /** How many there are in all. */
  readonly total: number;
}

/**
 * Records on their way into one station. Nothing is locked or visible before `commit`, memory does not grow
 * with the number of records, and a batch ends with exactly one `commit` or `discard`.
 */
export interface Batch {
  /** The station as it was when the batch was opened. */
  readonly station: Station;
  add(records: readonly StagedRecord[]): Promise<void>;
  /** The conflicts of the records added so far, with each other and with the station as it is now. */
  validate(): Promise<BatchErrors>;
  /**
   * What `commit` would do now, with at most `maxChanges` changes in detail. Throws `invalid_records` and
   * `revision_mismatch` as `commit` does. The batch stays open.
   */
  plan(maxChanges: number): Promise<BatchPlan>;
  /**
   * Writes all records as one revision, or none: a conflict throws `invalid_records` with the errors as
   * extensions. A batch that changes nothing makes no revision.
   */
  commit(): Promise<WriteResult>;
  discard(): Promise<void>;
}

/** Some of what changed, valid until the next chunk is requested. */
export interface FeedChunk {
  readonly put: RenderedResources;
  readonly removed: readonly string[];
}

/** What changed up to `head`, read from one state of the store. */
export interface Feed {
  readonly head: Head;
  /** How many resources the station has at `head`. */
  readonly size: number;
  /** Each changed resource once, complete, in any order. Iterate to the end or return early. */
  readonly chunks: AsyncIterable<FeedChunk>;
}

/** A feed that a store has at hand. Its chunks can be read more than once. */
export interface KnownFeed extends Feed {
  readonly since: Head;
}

/** The resources in other states than inactive, the alertable ones without alert rules, or all. */
export type StationPart = 'alerting' | 'uncovered' | 'all';

export interface PartOfStation {
  readonly address: StationAddress;
  readonly head: Head;
  readonly resources: RenderedResources;
}

export interface HistoryQuery {
  /** Without it, from the oldest known change. */
  readonly since?: HistoryPosition | undefined;
  /** Without `since`: from the first revision committed at this time or later. */
  readonly fromMs?: number | undefined;
  /** Only changes of this resource. */
  readonly resourceId?: string | undefined;
  readonly limit: number;
}

/** One change of one resource: created without `before`, removed without `after`. */
export interface Change {
  readonly revision: number;
  readonly changedAtMs: number;
  /** Undefined when the write did not say. */
  readonly changedBy: string | undefined;
  readonly before: Resource | undefined;
  readonly after: Resource | undefined;
}

/** Where the known history of a station begins: every later change is known. */
export interface HistoryBeginning {
  /** 0 when the history is complete: the station was created then. */
  readonly revision: number;
  /** When that revision was made; undefined if unknown. */
  readonly changedAtMs: number | undefined;
}

export interface HistoryPage {
  readonly from: HistoryBeginning;
  /** Every change once, ordered by revision; the order within a revision never varies. */
  readonly changes: readonly Change[];
  /** Where to continue. Without `hasMore` it is the head. */
  readonly next: HistoryPosition;
  readonly hasMore: boolean;
}

/** An API token as stored: never its text. */
export interface StoredToken {
  /** How people refer to it. */
  readonly id: string;
  /** What it is for. */
  readonly name: string;
  /** The SHA-256 of its text, in hex. */
  readonly hash: string;
  readonly role: Role;
  /** Each as the text of a `Scope`. */
  readonly scopes: readonly string[];
  readonly createdAtMs: number;
  readonly createdBy: string;
  /** The token that made it, or the nearest remaining one above it; undefined when no token did. */
  readonly makerId: string | undefined;
  /** Undefined when it does not expire. */
  readonly expiresAtMs: number | undefined;
  /** Undefined when it has not been used. */
  readonly lastUsedAtMs: number | undefined;
}

/** As fresh and durable as the rest of the store: a write acknowledged on one node shows in `list` on every other. */
export interface TokenStore {
  /** All tokens, by creation time, then by id. */
  list(): Promise<readonly StoredToken[]>;
  /** Throws `internal` when the id or hash is taken, and `unauthorized` when its maker is gone. */
  add(token: StoredToken): Promise<void>;
  /**
   * Adds the token if there has never been one, removed ones included. Resolves to whether it did: true on
   * exactly one of the nodes that try at the same time.
   */
  addFirst(token: StoredToken): Promise<boolean>;
  /**
   * Removes a token; with `cascade` also all tokens made by it, directly or indirectly, atomically. Resolves to
   * the removed ids, none if there was no such token. Tokens that stay pass to the maker of the removed one.
   */
  remove(id: string, options?: { readonly cascade?: boolean | undefined }): Promise<readonly string[]>;
  /** By id. A last use never goes back; unknown ids are ignored. */
  recordUses(lastUsedAtMs: ReadonlyMap<string, number>): Promise<void>;
}

/** A saved search. */
export interface StoredView extends ViewSearch {
  /** Whose it is: `sharedOwner`, `tokenOwner`, or a text of the caller's choice. With `name`, it identifies the view. */
  readonly owner: string;
  readonly name: string;
  readonly changedAtMs: number;
  readonly changedBy: string;
}

/** As fresh and durable as the rest of the store. The views of a token go with it. */
export interface ViewStore {
  /** The views of these owners, or all, by owner and name, in the order of UTF-16 code units. */
  list(owners?: readonly string[]): Promise<readonly StoredView[]>;
  get(owner: string, name: string): Promise<StoredView | undefined>;
  /**
   * Adds or replaces a view. Resolves to whether it is new. Throws `view_mismatch`, `too_many_views`, or
   * `unauthorized` when it belongs to a token that is gone.
   */
  put(view: StoredView, condition?: VersionCondition): Promise<boolean>;
  /** Resolves to whether there was such a view. Throws `view_mismatch`. */
  remove(owner: string, name: string, condition?: VersionCondition): Promise<boolean>;
}

/**
 * A station that is being filled by its first import. Its resources are committed if its chunks end, and not if they
 * throw. It may be left early.
 */
export interface ArrivingStation {
  readonly address: StationAddress;
  /** How many resources it has, known once its chunks have ended. */
  readonly size: number;
  /** As in a feed. */
  readonly chunks: AsyncIterable<FeedChunk>;
  /** The label of a type in the default locale. That of a new type may change as long as chunks arrive. */
  labelOf(typeKey: string): string;
}

/** A note and its version, which every write of the key changes. */
export interface Note {
  readonly version: number;
  readonly body: Uint8Array;
}

/** Small records that all nodes share, by key. As fresh and durable as the rest of the store. */
export interface NoteStore {
  /** Whether other nodes may use the same store. */
  readonly isShared: boolean;
  /** The keys that begin with `prefix` and their versions, by key in the order of their bytes. */
  versions(prefix: string): Promise<ReadonlyMap<string, number>>;
  read(key: string): Promise<Note | undefined>;
  /**
   * Resolves to the new version, or to undefined if the note does not have the version `ifVersion`. 0 stands for no
   * note; without it, the note is written in any case.
   */
  write(key: string, body: Uint8Array, ifVersion?: number): Promise<number | undefined>;
  /** Unknown keys are ignored. */
  remove(keys: readonly string[]): Promise<void>;
}

/** What a station had at the end of an hour, or in the current one so far. */
export interface TrendHour {
  /** When the hour began. */
  readonly startMs: number;
  readonly counts: StationCounts;
  /** By state, the most resources that a sample of the hour found in it. */
  readonly peaks: Readonly<Record<string, number>>;
}

/**
 * The counts of stations by the hour, from samples. An hour without samples is missing, so it is not taken for a quiet
 * one. The trends of a station go with it.
 */
export interface TrendStore {
  /**
   * Takes the counts of all stations into the hour of `atMs`. Nodes that share the data share the samples too: nothing
   * happens less than `apartMs` before or after the last one.
   */
  sample(atMs: number, apartMs: number): Promise<void>;
  /** The sampled hours that overlap the time from `fromMs` up to `toMs`, oldest first. Throws `station_not_found`. */
  read(address: StationAddress, fromMs: number, toMs: number): Promise<readonly TrendHour[]>;
  /** Adds hours that are older than all that the station has. Throws `station_not_found`. */
  add(address: StationAddress, hours: readonly TrendHour[]): Promise<void>;
  /** Forgets hours that ended before `untilMs`, but what the station had then is still known. */
  forget(untilMs: number): Promise<void>;
}

/** How a station came to its head, if the store has that at hand. */
export interface KnownMove {
  readonly feed?: KnownFeed | undefined;
  /** The import that made it. */
  readonly arrived?: ArrivingStation | undefined;
}

/** Called with a station whose head has moved, before `head` shows the move. */
export type BeforeVisible = (
  address: StationAddress,
  head: Head | undefined,
  move: KnownMove,
) => Promise<void>;

/** Whether the hook will read what changed in a station, so that a store may prepare it while it writes. */
export type IsFollowed = (address: StationAddress) => boolean;

/** Called with a station whose first import has begun to arrive. */
export type StationArriving = (arriving: ArrivingStation) => void;

/** Called with a station whose head has moved; without a head the station is gone. */
export type HeadMoved = (address: StationAddress, head: Head | undefined) => void;

/** Called with the reason why a store can no longer be used until the process is restarted. */
export type Lost = (why: RosterError) => void;

export type MaybePromise<T> = T | Promise<T>;

/**
 * The truth about all stations. Every implementation passes `runStoreContract`.
 *
 * Acknowledged means durable: when the promise of a write resolves, the write survives a crash. Revisions of a
 * station are contiguous and follow commit order. A store never filters, sorts or counts for a list.
 *
 * Several nodes may share the data, and then all of this holds across them: after a write is acknowledged on one
 * node, the next `head` on every node shows it, and no node shows less than another has shown. A history that
 * lost its tail, by a restore or a failover, continues in a new epoch, and positions in the old one expire.
 *
 * Operations on damaged data throw `data_damaged`. So does a lookup that finds nothing while some rows cannot be
 * read: it may have asked for one of those. Only `deleteStation` works on a damaged station.
 */
export interface Store {
  readonly tokens: TokenStore;
  readonly views: ViewStore;
  readonly notes: NoteStore;
  readonly trends: TrendStore;

  /** At or past the revision of every write whose promise has resolved; undefined without such a station. */
  head(address: StationAddress): MaybePromise<Head | undefined>;
  /** As fresh as `head`. */
  station(address: StationAddress): MaybePromise<Station | undefined>;
  stations(query: StationQuery): MaybePromise<StationPage>;
  /** As fresh as `head`, in the order of `StationPage`. The same array, or stations, as before unless they have changed. */
  allStations(): MaybePromise<readonly Station[]>;
  /** As fresh as `head`. */
  catalog(): MaybePromise<TypeCatalog>;
  /** The newest catalog read so far: at least as new as every head and feed this store has returned. */
  knownCatalog(): TypeCatalog;

  /** A new station begins at revision 0 of a new epoch, even if its address was used before. */
  createStation(address: StationAddress): Promise<{ created: boolean; head: Head }>;
  /** Resolves to whether there was such a station. */
  deleteStation(address: StationAddress, condition?: WriteCondition): Promise<boolean>;
  /** Throws `station_not_found`, or `revision_mismatch` when the condition already fails. */
  openBatch(address: StationAddress, options?: BatchOptions): Promise<Batch>;
  /** Throws `station_not_found` or `resource_not_found`. */
  removeResource(address: StationAddress, resourceId: string, options?: WriteOptions): Promise<WriteResult>;
  /** Adds types or replaces them entirely. Resources keep what they have; new ones take the new defaults. */
  putTypes(types: readonly ResourceType[], condition?: VersionCondition): Promise<void>;
  /** Resolves to whether there was such a type. Throws `type_in_use` while any resource of any station has it. */
  deleteType(key: string, condition?: VersionCondition): Promise<boolean>;

  /**
   * What changed after `since`, or the whole station without it. Throws `station_not_found`, or
   * `revision_expired` when `since` is not in the station's history or was compacted away. Without `since`, the feed
   * has the resources of `part`, all by default.
   */
  feed(address: StationAddress, since?: Head, part?: StationPart): Promise<Feed>;
  /** A part of each station as of its head; stations that are gone are left out. It is read at once: ask for few resources. */
  readParts(addresses: readonly StationAddress[], part: StationPart): Promise<readonly PartOfStation[]>;
  /** Every change after `query.since`, including superseded ones. Throws as `feed` does. */
  history(address: StationAddress, query: HistoryQuery): Promise<HistoryPage>;
  /** Throws `station_not_found` or `resource_not_found`. As fresh as `head`. */
  resource(address: StationAddress, resourceId: string): Promise<StoredResource>;
  /** The `Digest` of all resources of the station, and the head it was taken at. */
  digest(address: StationAddress): Promise<{ head: Head; digest: string }>;
  /** Forgets changes committed more than `keepMs` ago; feeds and histories from before them expire. */
  compactHistory(keepMs: number): Promise<void>;

  /**
   * `hook` runs after each commit, once for writes that share it, in commit order per station, and the write
   * resolves when it is done. A store that is the only writer also waits for it before `head` moves, so readers
   * never wait for a large write to be indexed. In a shared store `head` moves with the commit, because other
   * nodes already show it; the hook also runs for commits on other nodes, perhaps late, once for several of them,
   * or not at all.
   */
  onBeforeVisible(hook: BeforeVisible, isFollowed?: IsFollowed): void;
  /**
   * `listener` is called for large first imports, if the store can hand over what it writes. Each of them that is
   * committed comes to the hook of `onBeforeVisible`; others may be committed without having been told of.
   */
  onStationArriving(listener: StationArriving): void;
  /**
   * `listener` is called after a head has moved. It is a hint: for writes on other nodes it may come late, more
   * than once, or not at all.
   */
  onHeadMoved(listener: HeadMoved): void;
  /**
   * `listener` is called once, when the data is taken away from under the store. From then on every call throws
   * `database_replaced`. A store on a database server never calls it.
   */
  onLost(listener: Lost): void;
  /** Waits for pending writes, then releases everything. */
  close(): Promise<void>;
}
