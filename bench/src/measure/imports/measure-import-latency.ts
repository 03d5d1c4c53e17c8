import { setTimeout as sleep } from 'node:timers/promises';
import { formatQuery } from '../../dataset/format-query.ts';
import { mixedQueries } from '../../dataset/mixed-queries.ts';
import type { StationData } from '../../dataset/station-data.ts';
import type { LatencyFinding, LatencySummary } from '../../findings.ts';
import { askChild } from '../../servers/ask-child.ts';
import { listPath } from '../../servers/contender.ts';
import { RosterServer } from '../../servers/roster-server.ts';
import type { Workspace } from '../../workspace.ts';
import { importOf, importResources } from './import-resources.ts';
import type { ProbeMessage } from './latency-probe.ts';

const intervalMs = 2.5;
const warmUpMs = 2000;
const idleMs = 3000;
const imports = 3;

/** Latency of lists, idle and during imports into other stations of the same server. */
export async function measureImportLatency(workspace: Workspace, data: StationData): Promise<LatencyFinding> {
  const dataDirectory = workspace.newDirectory('latency');
  const server = await RosterServer.start({ workspace, dataDirectory });
  const fill = (station: string) => importResources(importOf(data, server, station));
  await fill('bench');
  const paths = mixedQueries(data.resources, 1000).map((query) => listPath(formatQuery(query)));
  const probe = workspace.fork(new URL('latency-probe.ts', import.meta.url));
  const observe = async (work: () => Promise<unknown>) => {
    const start = { origin: server.origin, paths, intervalMs };
    await askChild(probe, { start } satisfies ProbeMessage);
    await work();
    return askChild<LatencySummary>(probe, { stop: true } satisfies ProbeMessage);
  };
  await observe(() => sleep(warmUpMs));
  const idle = await observe(() => sleep(idleMs));
  const duringImport = await observe(async () => {
    for (let turn = 0; turn < imports; turn++) await fill(`other-${turn}`);
  });
  await Promise.all([workspace.stop(probe), server.stop()]);
  workspace.removeDirectory(dataDirectory);
  return { size: data.size, idle, duringImport };
}
