import { selectLoadTool } from './load/select-load-tool.ts';
import { WrongAnswer } from './measure/verify-answers.ts';
import { type BenchOptions, parseArguments, UsageError, usage } from './parse-arguments.ts';
import { reportFindings } from './report/report-findings.ts';
import { runBenchmark } from './run-benchmark.ts';
import { RosterServer } from './servers/roster-server.ts';
import { Workspace } from './workspace.ts';

const autocannonNote =
  'autocannon is about as slow as the raw server, so these ratios flatter; those of wrk are the true ones';

async function runAndReport(options: BenchOptions): Promise<void> {
  if (options.contenders.includes('roster') && !RosterServer.isInstalled()) {
    throw new UsageError('packages/server/bin/roster-server.js is not there; try --contenders baseline');
  }
  const startedAt = new Date();
  const workspace = new Workspace();
  const tool = await selectLoadTool(workspace, options.load);
  const findings = await runBenchmark({ workspace, options, tool, progress: process.stderr });
  if (tool.name === 'autocannon') findings.notes.push(autocannonNote);
  reportFindings({ startedAt, options, tool: tool.name, findings }, process.stdout);
}

/** Exits explicitly, because the servers of the run would keep the process alive. */
try {
  const options = parseArguments(process.argv.slice(2));
  if (options === undefined) process.stdout.write(usage);
  else await runAndReport(options);
  process.exit(0);
} catch (error) {
  if (error instanceof UsageError) process.stderr.write(`${error.message}\n\n${usage}`);
  else if (error instanceof WrongAnswer) process.stderr.write(`\nWRONG ANSWER. ${error.message}\n`);
  else process.stderr.write(`\n${(error as Error).stack}\n`);
  process.exit(error instanceof UsageError ? 2 : 1);
}
