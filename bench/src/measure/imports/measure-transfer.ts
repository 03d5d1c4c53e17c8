import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StationData } from '../../dataset/station-data.ts';
import type { ExportFinding, ExportFormat, TransferFinding } from '../../findings.ts';
import { listOnce } from '../../servers/list-once.ts';
import { readPeakRss, readRss, resetPeakRss } from '../../servers/process-usage.ts';
import { RosterServer } from '../../servers/roster-server.ts';
import { targetSizes } from '../../targets.ts';
import type { Workspace } from '../../workspace.ts';
import { exportResources } from './export-resources.ts';
import { createStation, importOf, importResources, planUnchanged } from './import-resources.ts';

const settleMs = 1000;

export async function measureTransfer(workspace: Workspace, data: StationData): Promise<TransferFinding> {
  const dataDirectory = workspace.newDirectory('transfer');
  const server = await RosterServer.start({ workspace, dataDirectory });
  const request = importOf(data, server, 'bench');
  // Only a station that has been read is indexed while it is written.
  await createStation(server.origin, 'bench');
  await listOnce(server);
  resetPeakRss(server.processId);
  const ndjsonSeconds = await importResources(request);
  const importPeak = readPeakRss(server.processId);
  // A larger one has no target, and a million takes twenty seconds of a ten-minute run.
  const planSeconds = data.size <= targetSizes.plan ? await planUnchanged(request) : undefined;
  await server.stop();

  const again = await RosterServer.start({ workspace, dataDirectory });
  await listOnce(again);
  const indexed = await settledRss(again);
  const exports: ExportFinding[] = [];
  for (const format of ['ndjson', 'json', 'csv'] as const) {
    exports.push(await measureExport(again, format, exportFile(workspace, format)));
  }
  const csv = { file: exportFile(workspace, 'csv'), format: 'csv', station: 'from-csv' } as const;
  const csvSeconds = await importResources({ origin: again.origin, count: data.size, ...csv });
  await again.stop();
  for (const format of ['ndjson', 'json', 'csv'] as const) rmSync(exportFile(workspace, format));
  workspace.removeDirectory(dataDirectory);
  const importGrowthBytes = difference(importPeak, indexed);
  return { size: data.size, ndjsonSeconds, csvSeconds, planSeconds, exports, importGrowthBytes };
}

async function measureExport(
  server: RosterServer,
  format: ExportFormat,
  file: string,
): Promise<ExportFinding> {
  const before = await settledRss(server);
  resetPeakRss(server.processId);
  const seconds = await exportResources({ origin: server.origin, station: 'bench', format, file });
  return { format, seconds, growthBytes: difference(readPeakRss(server.processId), before) };
}

function exportFile(workspace: Workspace, format: ExportFormat): string {
  return workspace.path(`export.${format}`);
}

function difference(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a - b;
}

async function settledRss(server: RosterServer): Promise<number | undefined> {
  await sleep(settleMs);
  return readRss(server.processId);
}
