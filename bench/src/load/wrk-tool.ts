import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Workspace } from '../workspace.ts';
import { type LoadSlice, type LoadTool, loadConnections, type SliceResult } from './load-slice.ts';
import { runToCompletion } from './run-to-completion.ts';

const script = fileURLToPath(new URL('wrk.lua', import.meta.url));

/** Stops wrk with a signal, because it only counts whole seconds; it checks ten times a second. */
const stopLagMs = 50;
const longestSeconds = 60;

interface WrkSummary {
  requests: number;
  durationUs: number;
  p99Us: number;
  failed: number;
  badStatus: number;
}

export function createWrkTool(workspace: Workspace): LoadTool {
  return {
    name: 'wrk',
    async run(slice) {
      const stopInTime = (wrk: ChildProcess) =>
        setTimeout(() => wrk.kill('SIGINT'), slice.seconds * 1000 - stopLagMs);
      const output = await runToCompletion(workspace, 'wrk', wrkArguments(slice), stopInTime);
      return readSummary(output, slice);
    },
  };
}

function wrkArguments({ origin, headers, target }: LoadSlice): string[] {
  const rotating = 'pathsFile' in target;
  return [
    ...['--threads', '1', '--connections', String(loadConnections)],
    ...['--duration', `${longestSeconds}s`, '--timeout', '60s', '--script', script],
    ...Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
    `${origin}${rotating ? '/' : target.path}`,
    ...(rotating ? ['--', target.pathsFile, String(target.start)] : []),
  ];
}

function readSummary(output: string, slice: LoadSlice): SliceResult {
  const line = output.trimEnd().split('\n').at(-1) ?? '';
  const summary = JSON.parse(line) as WrkSummary;
  if (summary.failed > 0 || summary.badStatus > 0) {
    throw new Error(`load on ${slice.origin} had failed requests: ${line}`);
  }
  return {
    requests: summary.requests,
    requestsPerSecond: summary.requests / (summary.durationUs / 1e6),
    p99Ms: summary.p99Us / 1000,
  };
}
