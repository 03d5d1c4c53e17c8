import type {
  HistoryPosition,
  RecordFault,
  RemovalAllowance,
  Resource,
  ResourceRecord,
  ResourceType,
  Revision,
  Role,
  RosterError,
  Scope,
  StationAddress,
  TypeCondition,
} from '@roster/contract';
import type { PackedResources } from './snapshot/packed-resources.ts';

/** The newest revision of a station. `revId` is random, so that a history that lost its tail is recognised. */
export interface Head extends Revision {
  readonly revId: string;
}

/** All resource types with their labels. `revision` grows with every change to any of them. */
export interface TypeCatalog {
  readonly revision: number;
  readonly types: ReadonlyMap<string, ResourceType>;
}

/** How many resources of each kind a station has at its head. */
export interface StationCounts {
  readonly resources: number;
  readonly alertable: number;
  /** Alertable resources without alert rules. */
  readonly uncovered: number;
  /** By state; states that no resource is in are left out. */
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
  /** Only stations that are in at least one of these; none at all when it is empty. */
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
}

interface WriteCounts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly removed: number;
  /** The keys of types that the catalog did not have before, in order. */
  readonly newTypes: readonly string[];
}

export interface WriteResult extends WriteCounts {
  readonly head: Head;
}

/** A record together with where it began, so that conflicts found while writing can be reported. */
export interface StagedRecord {
  readonly line: number;
  /** Left out at the beginning of the line, which is 1. */
  readonly column?: number;
  readonly record: ResourceRecord;
}

export interface WriteCondition {
  /** Write only while the station is at this revision, else throw `revision_mismatch`. */
  readonly ifRevision?: Revision | undefined;
}

export interface BatchOptions extends WriteCondition {
  /**
   * `replace` also removes every resource that the batch does not name. The records themselves are
   * written alike in both modes: what a record leaves out keeps its stored value.
   */
  readonly mode?: 'merge' | 'replace';
  /** What a replace may remove, `half` by default; more throws `removal_refused`. */
  readonly allowRemoval?: RemovalAllowance;
  /** It is meant to be planned, not committed; a store may then save itself what only a commit needs. */
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
  /** The first changes: those of records in their order, then removals by id. The counts tell how many there are. */
  readonly changes: readonly PlannedChange[];
  /** Why `commit` would not do it: a `removal_refused`. */
  readonly refusal: RosterError | undefined;
}

export interface BatchFaults {
  /** The faults of the lowest lines, in line order, at most `limits.maxReportedFaults`. */
  readonly faults: readonly RecordFault[];
  /** How many there are in all. */
  readonly total: number;
}

/**
 * Records on their way into one station. Nothing is locked or visible until `commit`, memory does not
 * grow with the number of records, and a batch ends with exactly one `commit` or `discard`.
 */
export interface Batch {
  add(records: readonly StagedRecord[]): Promise<void>;
  /** The conflicts of the records added so far, with each other and with the station as it is now. */
  validate(): Promise<BatchFaults>;
  /**
   * What `commit` would do now, with at most `maxChanges` changes in detail. Throws `invalid_records` and
   * `revision_mismatch` as `commit` does. The batch stays open.
   */
  plan(maxChanges: number): Promise<BatchPlan>;
  /**
   * Writes all records as one revision, or none: a conflict throws `invalid_records` with the faults as
   * extensions. A batch that changes nothing makes no revision.
   */
  commit(): Promise<WriteResult>;
  discard(): Promise<void>;
}

/**
 * Part of what changed, good until the next one is asked for. A resource appears once in a feed, and complete; the
 * order is free.
 */
export interface ChangePart {
  readonly put: PackedResources;
  readonly removed: readonly string[];
}

/** What changed up to `head`, read from one state of the store. Iterate it to the end or return early. */
export interface ChangeFeed {
  readonly head: Head;
  /** About how many resources the station has, so that nothing need grow while it is read. */
  readonly expectedSize: number;
  readonly parts: AsyncIterable<ChangePart>;
}

export interface HistoryQuery {
  /** Without it, from the oldest change that is known. */
  readonly since?: HistoryPosition | undefined;
  /** Only changes of this resource. */
  readonly resourceId?: string | undefined;
  readonly limit: number;
}

/** One change of one resource: created without `before`, removed without `after`. */
export interface Change {
  readonly revision: number;
  readonly changedAtMs: number;
  readonly before: Resource | undefined;
  readonly after: Resource | undefined;
}

export interface HistoryPage {
  /** Every change in the order of revisions, each once; the order within a revision is always the same. */
  readonly changes: readonly Change[];
  /** Where to read on. Without `hasMore` it is the head. */
  readonly next: HistoryPosition;
  readonly hasMore: boolean;
}

/** An API token as it is stored: never its text. */
export interface StoredToken {
  /** By which people name it. */
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
  /** Undefined when it does not expire. */
  readonly expiresAtMs: number | undefined;
  /** Undefined when it has not been used. */
  readonly lastUsedAtMs: number | undefined;
}

/** As fresh and as durable as the rest of the store: what one node has acknowledged, `list` shows on every other one. */
export interface TokenStore {
  /** All of them, by the time of their creation, then by id. */
  list(): Promise<readonly StoredToken[]>;
  /** Throws `internal` when there is one with this id or this hash. */
  add(token: StoredToken): Promise<void>;
  /**
   * Adds the token if there has never been any, also none that was removed since. Resolves to whether it did: of
   * all nodes that try at the same time, to true on one.
   */
  addFirst(token: StoredToken): Promise<boolean>;
  /** Resolves to whether there was such a token. */
  remove(id: string): Promise<boolean>;
  /** By id. A last use never goes back, and ids that are not known are ignored. */
  recordUses(lastUsedAtMs: ReadonlyMap<string, number>): Promise<void>;
}

/** Called with a station whose head has moved, before the move is visible to `head`. */
export type BeforeVisible = (address: StationAddress, head: Head | undefined) => Promise<void>;

/** Called with a station whose head has moved; undefined stands for one that is gone. */
export type HeadMoved = (address: StationAddress, head: Head | undefined) => void;

export type MaybePromise<T> = T | Promise<T>;

/**
 * The truth about all stations. Every implementation passes `runStoreContract`.
 *
 * Acknowledged means durable: when the promise of a write resolves, the write survives a crash.
 * Revisions of a station are contiguous and follow commit order. The store is never asked to filter,
 * sort or count what a list shows.
 *
 * Several nodes may have a store on the same data. Then all of this holds across them: what one node has
 * acknowledged, the next `head` on every other one shows, and no node shows less than another has shown.
 * A history that lost its tail, by a restore or a failover, goes on in a new epoch, and everything asked for
 * by the old one expires.
 */
export interface Store {
  readonly tokens: TokenStore;

  /** At or past the revision of every write whose promise has resolved; undefined when there is no such station. */
  head(address: StationAddress): MaybePromise<Head | undefined>;
  /** As fresh as `head`. */
  station(address: StationAddress): MaybePromise<Station | undefined>;
  stations(query: StationQuery): MaybePromise<StationPage>;
  /** As fresh as `head`. */
  catalog(): MaybePromise<TypeCatalog>;
  /** The newest catalog that was read: at least as new as every head and every feed that this store has given. */
  knownCatalog(): TypeCatalog;

  /** A new station begins at revision 0 of a new epoch, also when one of that address existed before. */
  createStation(address: StationAddress): Promise<{ created: boolean; head: Head }>;
  /** Resolves to whether there was such a station. */
  deleteStation(address: StationAddress, condition?: WriteCondition): Promise<boolean>;
  /** Throws `station_not_found`, or `revision_mismatch` when the condition is already known not to hold. */
  openBatch(address: StationAddress, options?: BatchOptions): Promise<Batch>;
  /** Throws `station_not_found` or `resource_not_found`. */
  removeResource(
    address: StationAddress,
    resourceId: string,
    condition?: WriteCondition,
  ): Promise<WriteResult>;
  /** Adds types or replaces them as a whole. Resources keep what they have; new ones take the new defaults. */
  putTypes(types: readonly ResourceType[], condition?: TypeCondition): Promise<void>;
  /** Resolves to whether there was such a type. Throws `type_in_use` while any resource of any station is of it. */
  deleteType(key: string, condition?: TypeCondition): Promise<boolean>;

  /**
   * What changed after `since`, or the whole station without it. Throws `station_not_found`, or
   * `revision_expired` when `since` is not part of the station's history or was compacted away.
   */
  changes(address: StationAddress, since?: Head): Promise<ChangeFeed>;
  /**
   * Every change after `since`, also those that later ones have overtaken. Throws `station_not_found`, or
   * `revision_expired` when `since` is not part of the station's history or was compacted away.
   */
  history(address: StationAddress, query: HistoryQuery): Promise<HistoryPage>;
  /** Throws `station_not_found` or `resource_not_found`. As fresh as `head`. */
  resource(address: StationAddress, resourceId: string): Promise<StoredResource>;
  /** The digest (see `Digest`) of all resources of the station, with the head it was taken at. */
  digest(address: StationAddress): Promise<{ head: Head; digest: string }>;
  /** Forgets the changes committed more than `keepMs` ago; feeds and histories from before them expire. */
  compact(keepMs: number): Promise<void>;

  /**
   * `hook` is called after a commit, in commit order for each station, and the write resolves when it has
   * ended. A store that alone knows of its writes waits for it before `head` moves too, so that readers never
   * wait for a large write to be indexed. A store that nodes share cannot hold back what other nodes already
   * show, so there `head` moves with the commit. It also calls `hook` when it hears of a commit on another
   * node, which may be late, or once for several commits, or never.
   */
  onBeforeVisible(hook: BeforeVisible): void;
  /**
   * `listener` is called after a head has moved. It is a hint: of writes by other nodes it may come late, more
   * often than needed, or not at all.
   */
  onHeadMoved(listener: HeadMoved): void;
  /** Waits for writes under way, then releases everything. */
  close(): Promise<void>;
}
