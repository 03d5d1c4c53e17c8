import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StationData } from '../dataset/station-data.ts';
import type { ColdStart, MemoryFigures } from '../findings.ts';
import type { Contender } from '../servers/contender.ts';
import { listOnce } from '../servers/list-once.ts';
import { readRss } from '../servers/process-usage.ts';
import { RosterServer } from '../servers/roster-server.ts';
import type { Workspace } from '../workspace.ts';
import { importOf, importResources } from './imports/import-resources.ts';

const settleMs = 1000;
const coldStarts = 3;
const maxSizeForRepeats = 100_000;

export interface LoadedRoster {
  readonly contender: Contender;
  readonly importSeconds: number;
  readonly memory: MemoryFigures | undefined;
  readonly coldStarts: readonly ColdStart[];
  /** Without saved snapshots; undefined for large stations. */
  readonly unsavedStart: ColdStart | undefined;
}

/** Imports into a fresh server, then restarts it cold on the same data and leaves it running. */
export async function loadRoster(workspace: Workspace, data: StationData): Promise<LoadedRoster> {
  const dataDirectory = workspace.newDirectory('roster');
  const { size } = data;
  const fresh = await RosterServer.start({ workspace, dataDirectory });
  const emptyBytes = await settledRss(fresh);
  const importSeconds = await importResources(importOf(data, fresh, 'bench'));
  await listOnce(fresh);
  const afterImportBytes = await settledRss(fresh);
  await fresh.stop();

  const isRepeated = size <= maxSizeForRepeats;
  const unsavedStart = isRepeated ? await startUnsaved(workspace, dataDirectory) : undefined;
  const starts: ColdStart[] = [];
  let server: RosterServer;
  for (;;) {
    server = await RosterServer.start({ workspace, dataDirectory });
    starts.push(await measureFirstAnswer(server));
    if (!isRepeated || starts.length === coldStarts) break;
    await server.stop();
  }
  const coldBytes = await settledRss(server);
  const known = emptyBytes !== undefined && afterImportBytes !== undefined && coldBytes !== undefined;
  return {
    contender: {
      name: 'roster',
      size,
      origin: server.origin,
      healthPath: '/healthz',
      processId: server.processId,
    },
    importSeconds,
    memory: known ? { emptyBytes, afterImportBytes, coldBytes } : undefined,
    coldStarts: starts,
    unsavedStart,
  };
}

async function startUnsaved(workspace: Workspace, dataDirectory: string): Promise<ColdStart> {
  await rm(path.join(dataDirectory, 'snapshots'), { recursive: true, force: true });
  const server = await RosterServer.start({ workspace, dataDirectory });
  const start = await measureFirstAnswer(server);
  await server.stop();
  return start;
}

async function measureFirstAnswer(server: RosterServer): Promise<ColdStart> {
  const readyMs = performance.now();
  await listOnce(server);
  const answeredMs = performance.now();
  return { fromSpawnMs: answeredMs - server.spawnedAtMs, fromReadyMs: answeredMs - readyMs };
}

async function settledRss(server: RosterServer): Promise<number | undefined> {
  await sleep(settleMs);
  return readRss(server.processId);
}
