import type { DocumentedCaseName, ListCaseName } from './dataset/list-cases.ts';

/** The raw results of one run. */
export interface Findings {
  readonly lists: ListRates[];
  readonly imports: ImportFinding[];
  readonly memory: (MemoryFigures & { readonly size: number })[];
  readonly coldStarts: ColdFinding[];
  readonly latency: LatencyFinding[];
  readonly transfers: TransferFinding[];
  readonly access: AccessRates[];
  readonly texts: TextFinding[];
  readonly everywhere: EverywhereFinding[];
  readonly smallWrites: SmallWritesFinding[];
  readonly batches: BatchFinding[];
  /** Batches of one size in stations of several. */
  readonly storms: BatchFinding[];
  readonly busyLists: BusyListsFinding[];
  readonly firstLists: FirstListFinding[];
  readonly sources: SourcesFinding[];
  readonly stateStorms: StormFinding[];
  /** This and the next four are for runs on PostgreSQL. */
  readonly stores: StoreRates[];
  readonly questions: QuestionFinding[];
  readonly postgresImports: ImportFinding[];
  readonly nodes: NodesFinding[];
  readonly watchers: WatchersFinding[];
  /** What could not be measured, and why. */
  readonly notes: string[];
}

interface ColdFinding {
  readonly size: number;
  readonly starts: readonly ColdStart[];
  /** Without saved snapshots; undefined for large stations. */
  readonly unsavedStart: ColdStart | undefined;
}

/** Requests per second of one case at one size, one entry per round. */
export interface ListRates {
  readonly case: ListCaseName;
  readonly size: number;
  readonly raw: number[];
  readonly subject: number[];
  readonly subjectP99Ms: number[];
  /** CPU microseconds of the server per request; empty without /proc. */
  readonly rawCpuUs: number[];
  readonly subjectCpuUs: number[];
  /** Rates of the subject with URLs that never repeat, in some rounds. */
  readonly unrepeated: { readonly round: number; readonly perSecond: number }[];
  /** Slices of the contenders that are not the subject, by name. */
  readonly others: Record<string, number[]>;
}

/** Seconds of each import of this size; the first one into a freshly started server. */
interface ImportFinding {
  readonly size: number;
  readonly seconds: number[];
}

export interface LatencyFinding {
  readonly size: number;
  readonly idle: LatencySummary;
  readonly duringImport: LatencySummary;
}

export interface LatencySummary {
  readonly requests: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** Searches for many texts, one after the other, and the loop of the server meanwhile. */
export interface TextFinding {
  readonly size: number;
  readonly searches: LatencySummary;
  /** Of a request that needs nothing but the event loop. */
  readonly beside: LatencySummary;
  /** How long the event loop was blocked at most, garbage collections included. */
  readonly longestBlockMs: number;
}

/** Searches of all stations for what is firing. */
export interface EverywhereFinding {
  readonly store: string;
  readonly stations: number;
  /** The first one reads what is firing from the store. */
  readonly firstMs: number;
  readonly quiet: LatencySummary;
  /** With a change of state before each. */
  readonly changing: LatencySummary;
}

/** Writes a second of one resource each, and those of a plain store, one entry per round. */
export interface SmallWritesFinding {
  readonly case: 'W1' | 'W2' | 'W3' | 'W4';
  readonly size: number;
  readonly roster: number[];
  readonly plain: number[];
  readonly p50Ms: number[];
  readonly p99Ms: number[];
}

/** Seconds of a batch of state changes, and of the same in a plain store, one entry per round. */
export interface BatchFinding {
  readonly size: number;
  readonly records: number;
  readonly roster: number[];
  readonly plain: number[];
}

/** Lists while small writes go on. */
export interface BusyListsFinding {
  readonly size: number;
  readonly writesPerSecond: number;
  readonly lists: LatencySummary;
}

export interface FirstListFinding {
  readonly size: number;
  readonly importSeconds: number[];
  /** From the acknowledgement of the import. */
  readonly listSeconds: number[];
}

/** A sync with a Prometheus. */
export interface SourcesFinding {
  readonly hosts: number;
  readonly rules: number;
  readonly alerts: number;
  /** From the question to all states in the list. */
  readonly syncSeconds: number;
  /** The most memory while syncing, over that of an idle server without sources. */
  readonly addedBytes: number;
  readonly idle: LatencySummary;
  readonly duringSync: LatencySummary;
}

/** Many states that change at once. */
export interface StormFinding {
  readonly resources: number;
  readonly changed: number;
  /** From the answer of Prometheus to all states in the list. */
  readonly visibleSeconds: number;
  readonly revisions: number;
  readonly idle: LatencySummary;
  readonly duringStorm: LatencySummary;
}

export type ExportFormat = 'ndjson' | 'csv' | 'json';

export interface ExportFinding {
  readonly format: ExportFormat;
  readonly seconds: number;
  /** Memory growth of the process during the export. */
  readonly growthBytes: number | undefined;
}

/** One station imported, planned again, exported, and imported from the export. */
export interface TransferFinding {
  readonly size: number;
  readonly ndjsonSeconds: number;
  readonly csvSeconds: number;
  readonly planSeconds: number | undefined;
  readonly exports: readonly ExportFinding[];
  /** Memory growth during the import of a station that is being read, above the index itself. */
  readonly importGrowthBytes: number | undefined;
}

export interface ColdStart {
  /** From the start of the process to the first list answer. */
  readonly fromSpawnMs: number;
  /** From the moment the server is ready to the first list answer. */
  readonly fromReadyMs: number;
}

export interface MemoryFigures {
  readonly emptyBytes: number;
  readonly afterImportBytes: number;
  readonly coldBytes: number;
}

/** Requests per second of one case, one entry per round. */
export interface AccessRates {
  readonly case: DocumentedCaseName;
  readonly size: number;
  readonly withoutAccess: number[];
  readonly withAccess: number[];
}

export interface NodesFinding {
  readonly writes: number;
  /** From sending a write to one node to its arrival in a stream of the other. */
  readonly heardP50Ms: number;
  readonly heardP99Ms: number;
  /** From sending the write to its acknowledgement. */
  readonly acknowledgedP50Ms: number;
}

/** Latency of a list on an idle server with each store. The difference is the freshness query to PostgreSQL. */
export interface QuestionFinding {
  readonly size: number;
  readonly sqliteP50Ms: number;
  readonly postgresP50Ms: number;
}

/** Requests per second of one case, one entry per round. */
export interface StoreRates {
  readonly case: ListCaseName;
  readonly size: number;
  readonly sqlite: number[];
  readonly postgres: number[];
  readonly postgresP99Ms: number[];
  /** CPU microseconds of the node per request; empty without /proc. */
  readonly sqliteCpuUs: number[];
  readonly postgresCpuUs: number[];
}

export interface WatchersReport {
  /** Over all events of all streams being read: from the time in the sku to the arrival. */
  readonly lagP50Ms: number;
  readonly lagP99Ms: number;
  readonly lagMaxMs: number;
  readonly events: number;
}

export interface WatchersFinding extends WatchersReport {
  readonly count: number;
  readonly idle: number;
  /** Memory growth of the node from before the first stream to its peak; undefined without /proc. */
  readonly grownBytes: number | undefined;
}
