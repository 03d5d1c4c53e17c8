import type {
  RecordFault,
  Resource,
  ResourceRecord,
  ResourceType,
  Revision,
  StationAddress,
} from '@roster/contract';

/** The newest revision of a station. `revId` is random, so that a history that lost its tail is recognised. */
export interface Head extends Revision {
  readonly revId: string;
}

/** All resource types with their labels. `revision` grows with every change to any of them. */
export interface TypeCatalog {
  readonly revision: number;
  readonly types: ReadonlyMap<string, ResourceType>;
}

export interface WriteResult {
  readonly head: Head;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly removed: number;
}

/** A record together with the line it came from, so that conflicts found while writing can be reported. */
export interface StagedRecord {
  readonly line: number;
  readonly record: ResourceRecord;
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
   * Writes all records as one revision, or none: a conflict throws `invalid_records` with the faults as
   * extensions. A batch that changes nothing makes no revision.
   */
  commit(): Promise<WriteResult>;
  discard(): Promise<void>;
}

/** Part of what changed. A resource appears once in a feed, and complete; the order is free. */
export interface ChangePart {
  readonly put: readonly Resource[];
  readonly removed: readonly string[];
}

/** What changed up to `head`, read from one state of the store. Iterate it to the end or return early. */
export interface ChangeFeed {
  readonly head: Head;
  readonly parts: AsyncIterable<ChangePart>;
}

/** Called with a station whose head has moved, before the move is visible to `head`. */
export type BeforeVisible = (address: StationAddress, head: Head | undefined) => Promise<void>;

export type MaybePromise<T> = T | Promise<T>;

/**
 * The truth about all stations. Every implementation passes `runStoreContract`.
 *
 * Acknowledged means durable: when the promise of a write resolves, the write survives a crash.
 * Revisions of a station are contiguous and follow commit order. The store is never asked to filter,
 * sort or count what a list shows.
 */
export interface Store {
  /** At or past the revision of every write whose promise has resolved; undefined when there is no such station. */
  head(address: StationAddress): MaybePromise<Head | undefined>;
  /** The addresses of all stations, in no order. */
  stations(): MaybePromise<readonly StationAddress[]>;
  catalog(): MaybePromise<TypeCatalog>;

  /** A new station begins at revision 0 of a new epoch, also when one of that address existed before. */
  createStation(address: StationAddress): Promise<{ created: boolean; head: Head }>;
  /** Resolves to whether there was such a station. */
  deleteStation(address: StationAddress): Promise<boolean>;
  /** Throws `station_not_found`. */
  openBatch(address: StationAddress): Promise<Batch>;
  /** Throws `station_not_found` or `resource_not_found`. */
  removeResource(address: StationAddress, resourceId: string): Promise<WriteResult>;
  /** Adds types or replaces their labels. */
  putTypes(types: readonly ResourceType[]): Promise<void>;

  /**
   * What changed after `since`, or the whole station without it. Throws `station_not_found`, or
   * `revision_expired` when `since` is not part of the station's history or was compacted away.
   */
  changes(address: StationAddress, since?: Head): Promise<ChangeFeed>;
  /** The digest (see `Digest`) of all resources of the station, with the head it was taken at. */
  digest(address: StationAddress): Promise<{ head: Head; digest: string }>;
  /** Forgets removals committed more than `keepMs` ago; feeds from before them expire. */
  compact(keepMs: number): Promise<void>;

  /**
   * A store that alone knows of its writes calls `hook` after a commit and waits for it before `head`
   * moves and the write resolves, so that readers never wait for a large write to be indexed.
   */
  onBeforeVisible(hook: BeforeVisible): void;
  /** Waits for writes under way, then releases everything. */
  close(): Promise<void>;
}
