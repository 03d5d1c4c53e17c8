import { listCaseNames } from '../dataset/list-cases.ts';
import { formatSize } from '../format-size.ts';
import type { Step } from '../progress.ts';
import { RosterServer } from '../servers/roster-server.ts';
import { type BenchRun, contendersAt } from './bench-run.ts';
import { measureImportLatency } from './imports/measure-import-latency.ts';
import { measureImports } from './imports/measure-imports.ts';
import { measureTransfer } from './imports/measure-transfer.ts';
import { loadRoster } from './load-roster.ts';
import { measureAccess } from './measure-access.ts';
import { measureEverywhere } from './measure-everywhere.ts';
import { measureTexts } from './measure-texts.ts';
import { measureSources, measureStorm } from './sources/measure-sources.ts';

/** Larger stations are imported only once. */
const maxRepeatedSize = 100_000;

/** Estimate for the progress line. */
const importedPerSecond = 50_000;

/** Imports, latency under import, memory and cold starts; at the end one Roster of each size is running. */
export function rosterSteps(run: BenchRun): Step[] {
  const { sizes, cases, contenders } = run.options;
  if (!contenders.includes('roster')) return [];
  const repeated = sizes.filter((size) => size <= maxRepeatedSize);
  const needsServers = [...listCaseNames, 'F5', 'import', 'memory', 'cold'] as const;
  return [
    ...(cases.has('import') ? repeated.map((size) => importStep(run, size)) : []),
    ...(cases.has('latency') ? repeated.slice(-1).map((size) => latencyStep(run, size)) : []),
    ...(cases.has('transfer') ? transferSizes(sizes).map((size) => transferStep(run, size)) : []),
    ...(cases.has('access') ? repeated.slice(-1).map((size) => accessStep(run, size)) : []),
    ...(needsServers.some((name) => cases.has(name)) ? sizes.map((size) => loadStep(run, size)) : []),
    ...(cases.has('F6') ? [everywhereStep(run)] : []),
    ...(cases.has('S1') ? [syncStep(run)] : []),
    ...(cases.has('S2') ? [stormStep(run)] : []),
    ...(cases.has('F5') ? sizes.slice(-1).map((size) => textStep(run, size)) : []),
  ];
}

function importStep(run: BenchRun, size: number): Step {
  return {
    label: `import ${formatSize(size)} into fresh stations`,
    seconds: 2 + (3 * size) / importedPerSecond,
    async run() {
      const seconds = await measureImports(run.workspace, run.stations.get(size)!);
      run.findings.imports.push({ size, seconds });
    },
  };
}

function latencyStep(run: BenchRun, size: number): Step {
  return {
    label: `list latency at ${formatSize(size)} while imports run`,
    seconds: 7 + (4 * size) / importedPerSecond,
    async run() {
      run.findings.latency.push(await measureImportLatency(run.workspace, run.stations.get(size)!));
    },
  };
}

/** The sizes that targets are set for. */
function transferSizes(sizes: readonly number[]): readonly number[] {
  return sizes.filter((size) => size >= maxRepeatedSize);
}

function transferStep(run: BenchRun, size: number): Step {
  return {
    label: `import, plan, export and re-import ${formatSize(size)}`,
    seconds: 12 + (4 * size) / importedPerSecond,
    async run() {
      run.findings.transfers.push(await measureTransfer(run.workspace, run.stations.get(size)!));
    },
  };
}

function accessStep(run: BenchRun, size: number): Step {
  return {
    label: `lists at ${formatSize(size)} with and without tokens`,
    seconds: 18 + 2.2 * run.options.rounds + size / importedPerSecond,
    async run() {
      run.findings.access.push(...(await measureAccess(run, run.stations.get(size)!)));
    },
  };
}

function textStep(run: BenchRun, size: number): Step {
  return {
    label: `search texts at ${formatSize(size)}`,
    seconds: 25,
    async run() {
      const [subject] = contendersAt(run, size);
      run.findings.texts.push(await measureTexts(run.workspace, subject!, run.stations.get(size)!));
    },
  };
}

function everywhereStep(run: BenchRun): Step {
  return {
    label: 'search all of 10 000 stations',
    seconds: 400,
    async run() {
      const { workspace, findings } = run;
      const dataDirectory = workspace.newDirectory('everywhere');
      const server = await RosterServer.start({ workspace, dataDirectory });
      findings.everywhere.push(await measureEverywhere(server.origin, 'SQLite'));
      await server.stop();
      workspace.removeDirectory(dataDirectory);
    },
  };
}

function syncStep({ workspace, findings }: BenchRun): Step {
  return {
    label: 'sync with Prometheus',
    seconds: 90,
    async run() {
      findings.sources.push(await measureSources(workspace));
    },
  };
}

function stormStep({ workspace, findings }: BenchRun): Step {
  return {
    label: 'storm of states',
    seconds: 40,
    async run() {
      findings.stateStorms.push(await measureStorm(workspace));
    },
  };
}

function loadStep(run: BenchRun, size: number): Step {
  return {
    label: `import ${formatSize(size)}, restart cold`,
    seconds: 6 + (1.5 * size) / importedPerSecond,
    async run() {
      const { findings, options } = run;
      const loaded = await loadRoster(run.workspace, run.stations.get(size)!);
      run.contenders.push(loaded.contender);
      if (options.cases.has('import')) addImport(run, size, loaded.importSeconds);
      if (options.cases.has('cold'))
        findings.coldStarts.push({ size, starts: loaded.coldStarts, unsavedStart: loaded.unsavedStart });
      if (!options.cases.has('memory')) return;
      if (loaded.memory) findings.memory.push({ size, ...loaded.memory });
      else findings.notes.push('memory: this system has no /proc to read the resident size from');
    },
  };
}

function addImport({ findings }: BenchRun, size: number, seconds: number): void {
  const finding = findings.imports.find((one) => one.size === size);
  if (finding) finding.seconds.push(seconds);
  else findings.imports.push({ size, seconds: [seconds] });
}
