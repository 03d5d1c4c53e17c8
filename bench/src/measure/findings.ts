import type { ListCaseName } from '../dataset/list-cases.ts';
import type { LatencySummary } from './latency-probe.ts';
import type { ColdStart, MemoryFigures } from './load-roster.ts';
import type { AccessRates } from './measure-access.ts';
import type { NodesFinding } from './measure-nodes.ts';
import type { QuestionFinding } from './measure-question.ts';
import type { StoreRates } from './measure-stores.ts';
import type { TransferFinding } from './measure-transfer.ts';
import type { WatchersFinding } from './measure-watchers.ts';

/** Everything one run found out, before any judgement. */
export interface Findings {
  readonly lists: ListRates[];
  readonly imports: ImportFinding[];
  readonly memory: (MemoryFigures & { readonly size: number })[];
  readonly coldStarts: ColdFinding[];
  readonly latency: LatencyFinding[];
  readonly transfers: TransferFinding[];
  readonly access: AccessRates[];
  /** This and the next four are of runs on PostgreSQL. */
  readonly stores: StoreRates[];
  readonly questions: QuestionFinding[];
  readonly postgresImports: ImportFinding[];
  readonly nodes: NodesFinding[];
  readonly watchers: WatchersFinding[];
  /** What was asked for but could not be measured, and why. */
  readonly notes: string[];
}

interface ColdFinding {
  readonly size: number;
  readonly starts: readonly ColdStart[];
  /** Without what the run before has saved; undefined of large stations. */
  readonly unsavedStart: ColdStart | undefined;
}

/** Requests per second of one case at one size, one entry per round. */
export interface ListRates {
  readonly case: ListCaseName;
  readonly size: number;
  readonly raw: number[];
  readonly subject: number[];
  readonly subjectP99Ms: number[];
  /** Processor microseconds of the server per request; empty where the system does not tell. */
  readonly rawCpuUs: number[];
  readonly subjectCpuUs: number[];
  /** Rates of the subject under URLs that do not repeat, in some of the rounds. */
  readonly unrepeated: { readonly round: number; readonly perSecond: number }[];
  /** Slices of the contenders that are not the subject, by name. */
  readonly others: Record<string, number[]>;
}

/** Seconds of each import of this size; the first went into a server that had just started. */
interface ImportFinding {
  readonly size: number;
  readonly seconds: number[];
}

export interface LatencyFinding {
  readonly size: number;
  readonly idle: LatencySummary;
  readonly duringImport: LatencySummary;
}
