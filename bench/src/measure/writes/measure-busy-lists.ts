import { setTimeout as sleep } from 'node:timers/promises';
import { formatQuery } from '../../dataset/format-query.ts';
import { mixedQueries } from '../../dataset/mixed-queries.ts';
import type { BusyListsFinding, LatencySummary } from '../../findings.ts';
import { askChild } from '../../servers/ask-child.ts';
import { listPath } from '../../servers/contender.ts';
import type { Workspace } from '../../workspace.ts';
import type { ProbeMessage } from '../imports/latency-probe.ts';
import { WriteConnection } from './write-connection.ts';
import type { WritesSubject } from './writes-subject.ts';

const connections = 32;
const writesPerSecond = 1000;
const probeIntervalMs = 5;
const measuredMs = 8000;

/** Latency of lists while small writes arrive at a steady pace. */
export async function measureBusyLists(
  workspace: Workspace,
  { data, server, changes }: WritesSubject,
): Promise<BusyListsFinding> {
  const free = await Promise.all(
    Array.from({ length: connections }, () => WriteConnection.open(server.origin, 'bench')),
  );
  const paths = mixedQueries(data.resources, 1000).map((query) => listPath(formatQuery(query)));
  const probe = workspace.fork(new URL('../imports/latency-probe.ts', import.meta.url));
  const start = { origin: server.origin, paths, intervalMs: probeIntervalMs };
  await askChild(probe, { start } satisfies ProbeMessage);
  const startedMs = performance.now();
  let sent = 0;
  let acknowledged = 0;
  for (let nowMs = startedMs; nowMs - startedMs < measuredMs; nowMs = performance.now()) {
    const due = Math.floor(((nowMs - startedMs) * writesPerSecond) / 1000);
    for (; sent < due && free.length > 0; sent++) {
      const connection = free.pop()!;
      void connection.write([changes.next()]).then(() => {
        acknowledged++;
        free.push(connection);
      });
    }
    await sleep(1);
  }
  const lists = await askChild<LatencySummary>(probe, { stop: true } satisfies ProbeMessage);
  const perSecond = (acknowledged * 1000) / (performance.now() - startedMs);
  while (free.length < connections) await sleep(10);
  for (const connection of free) connection.close();
  await workspace.stop(probe);
  return { size: data.size, writesPerSecond: perSecond, lists };
}
