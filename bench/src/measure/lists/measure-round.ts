import type { ListRates } from '../../findings.ts';
import { type LoadSlice, type LoadTool, sliceSeconds } from '../../load/load-slice.ts';
import type { Contender } from '../../servers/contender.ts';
import { readCpuSeconds } from '../../servers/process-usage.ts';
import type { RawServer } from '../../servers/start-raw-server.ts';
import type { PreparedListCase } from './prepare-list-case.ts';

/** The other servers are so slow that a shorter slice could end before the first answer. */
const otherSeconds = 1;
/** URLs that never repeat have no target of their own, so one slice every so many rounds is enough. */
const roundsPerUnrepeated = 5;

/** One round of a case at one size. */
export interface Round {
  readonly prepared: PreparedListCase;
  readonly rates: ListRates;
  readonly tool: LoadTool;
  readonly raw: RawServer;
  readonly subject: Contender;
  readonly others: readonly Contender[];
  readonly round: number;
}

export async function measureRaw(one: Round): Promise<void> {
  const { prepared, rates, tool, raw } = one;
  const slice = sliceOf(one);
  await raw.select(prepared.rawSet, slice.target);
  const { requestsPerSecond, cpuUs } = await runSlice(tool, slice, raw);
  rates.raw.push(requestsPerSecond);
  if (cpuUs) rates.rawCpuUs.push(cpuUs);
}

export async function measureSubject(one: Round): Promise<void> {
  const { rates, tool, subject } = one;
  const { requestsPerSecond, p99Ms, cpuUs } = await runSlice(tool, sliceOf(one), subject);
  rates.subject.push(requestsPerSecond);
  rates.subjectP99Ms.push(p99Ms);
  if (cpuUs) rates.subjectCpuUs.push(cpuUs);
}

/** Slices without a target, measured after the others. */
export async function measureBeside(one: Round): Promise<void> {
  const { prepared, rates, tool, subject, others, round } = one;
  const slice = sliceOf(one);
  if (prepared.unrepeated && round % roundsPerUnrepeated === 0) {
    const target = prepared.unrepeated(round);
    const { requestsPerSecond } = await runSlice(tool, { ...slice, target }, subject);
    rates.unrepeated.push({ round, perSecond: requestsPerSecond });
  }
  for (const other of others) {
    const { requestsPerSecond } = await runSlice(tool, { ...slice, seconds: otherSeconds }, other);
    rates.others[other.name] = [...(rates.others[other.name] ?? []), requestsPerSecond];
    await waitUntilIdle(other);
  }
}

function sliceOf({ prepared, round }: Round): Omit<LoadSlice, 'origin'> {
  return { headers: prepared.headers, seconds: sliceSeconds, target: prepared.targetInRound(round) };
}

interface LoadedServer {
  readonly origin: string;
  readonly processId: number;
}

/** Also returns the CPU time per request, if /proc is available. */
export async function runSlice(tool: LoadTool, slice: Omit<LoadSlice, 'origin'>, server: LoadedServer) {
  const before = readCpuSeconds(server.processId);
  const result = await tool.run({ ...slice, origin: server.origin });
  const after = readCpuSeconds(server.processId);
  const known = before !== undefined && after !== undefined && result.requests > 0;
  return { ...result, cpuUs: known ? ((after - before) * 1e6) / result.requests : undefined };
}

/** Waits until a slow server has finished the requests of the last slice. */
export async function waitUntilIdle(contender: Contender): Promise<void> {
  const response = await fetch(`${contender.origin}${contender.healthPath}`);
  await response.arrayBuffer();
}
