import { startBaseline } from './baseline/start-baseline.ts';
import { listCaseNames } from './dataset/list-cases.ts';
import { prepareStationData } from './dataset/station-data.ts';
import type { Findings } from './findings.ts';
import { formatSize } from './format-size.ts';
import type { LoadTool } from './load/load-slice.ts';
import type { BenchRun } from './measure/bench-run.ts';
import { listCaseSteps } from './measure/lists/list-case-steps.ts';
import { postgresSteps } from './measure/postgres/postgres-steps.ts';
import { rosterSteps } from './measure/roster-steps.ts';
import { sqliteStores, writeSteps } from './measure/writes/write-steps.ts';
import type { BenchOptions } from './parse-arguments.ts';
import { runSteps } from './progress.ts';
import { readProcessorTime, stolenShare } from './servers/processor-time.ts';
import { startRawServer } from './servers/start-raw-server.ts';
import type { Workspace } from './workspace.ts';

/** Estimate for the progress line. */
const preparedPerSecond = 50_000;

const worthTelling = 0.02;

export interface BenchmarkRequest {
  readonly workspace: Workspace;
  readonly options: BenchOptions;
  readonly tool: LoadTool;
  readonly progress: NodeJS.WriteStream;
}

export async function runBenchmark({ progress, ...request }: BenchmarkRequest): Promise<Findings> {
  const findings: Findings = {
    lists: [],
    imports: [],
    memory: [],
    coldStarts: [],
    latency: [],
    transfers: [],
    access: [],
    texts: [],
    everywhere: [],
    smallWrites: [],
    batches: [],
    storms: [],
    busyLists: [],
    firstLists: [],
    sources: [],
    stateStorms: [],
    stores: [],
    questions: [],
    postgresImports: [],
    nodes: [],
    watchers: [],
    notes: [],
  };
  const run: BenchRun = { ...request, findings, stations: new Map(), contenders: [], raw: undefined };
  const total = run.options.sizes.reduce((sum, size) => sum + size, 0);
  const prepare = {
    label: 'generate the data, fill the baseline',
    seconds: 2 + total / preparedPerSecond,
    run: () => prepareRun(run),
  };
  const onStore =
    run.options.store === 'postgres'
      ? postgresSteps(run)
      : [...writeSteps(run, sqliteStores(run)), ...rosterSteps(run), ...listCaseSteps(run)];
  const before = readProcessorTime();
  await runSteps([prepare, ...onStore], progress);
  const after = readProcessorTime();
  if (before && after) noteStolen(findings, stolenShare(before, after));
  return findings;
}

function noteStolen({ notes }: Findings, share: number): void {
  if (share < worthTelling) return;
  notes.push(
    `STOLEN: the host gave ${Math.round(share * 100)} % of the requested CPU time to other machines; ` +
      'timings in seconds are longer for it.',
  );
}

/** Not timed, so the baselines fill their databases while the harness writes its files. */
async function prepareRun(run: BenchRun): Promise<void> {
  const { workspace, options } = run;
  const listed = listCaseNames.some((name) => options.cases.has(name));
  const baselineSizes =
    listed && options.store === 'sqlite' && options.contenders.includes('baseline') ? options.sizes : [];
  const [raw, stations, ...baselines] = await Promise.all([
    startRawServer(workspace),
    prepareStationData(options.sizes, (size) => workspace.path(`${formatSize(size)}.ndjson`)),
    ...baselineSizes.map((size) => startBaseline(workspace, size)),
  ]);
  run.raw = raw;
  for (const station of stations) run.stations.set(station.size, station);
  run.contenders.push(...baselines);
}
