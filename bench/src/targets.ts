import type { ListCaseName } from './dataset/list-cases.ts';

/** The targets of Roster. A miss is reported but never fails a run, because machines differ. */
export const targets = {
  /** Share of the raw server's rate. */
  ofRaw: {
    C1: 0.8,
    C2: 0.8,
    C3: 0.8,
    C4: 0.8,
    C5: 0.8,
    C6: 0.8,
    C7: 0.75,
    '304': 0.95,
    F1: 0.6,
    F2: 0.6,
    F3: 0.6,
    F4: 0.6,
  },
  /** Rate at the largest size over rate at the smallest. */
  flat: 0.85,
  /** The same of a search. */
  flatSearch: 0.8,
  textP99Ms: 60,
  textBlockedMs: 10,
  everywhereP99Ms: 100,
  syncSeconds: 5,
  syncMegabytes: 200,
  /** Of the p99 of an idle server. */
  syncLatency: 1.5,
  stormSeconds: 2,
  stormP99Ms: 50,
  /** Rate with tokens over rate without. */
  withAccess: 0.9,
  importedPerSecond: 60_000,
  p99DuringImportMs: 50,
  bytesPerResource: 1024,
  coldStartMs: 1000,
  exportedPerSecond: 150_000,
  planSeconds: 2,
  importGrowthBytes: 300 * 2 ** 20,
  /** Small writes a second over those of a plain store alone. */
  ofPlain: { W1: 0.25, W2: 0.65, W3: 1, W4: 1 },
  /** Of many writers, in times the p50 of one. */
  smallWriteP99: 20,
  batchOfPlain: 0.6,
  /** Time of a batch at the largest size over the same at the usual one. */
  batchGrowth: 1.3,
  busyListP99Ms: 20,
  /** Share of the import's own time. */
  firstList: 0.1,
  postgres: {
    /** Rate of lists over that of the same server on SQLite. */
    ofSqlite: 0.75,
    importedPerSecond: 40_000,
    heardP99Ms: 100,
    watcherLagP99Ms: 1000,
    watcherGrowthBytes: 100 * 10 ** 6,
  },
} as const satisfies { ofRaw: Record<ListCaseName, number> } & Record<string, unknown>;

/** The sizes that the other targets are set for. */
export const targetSizes = {
  minImport: 100_000,
  memory: 1_000_000,
  cold: 100_000,
  plan: 100_000,
  growth: 1_000_000,
} as const;
