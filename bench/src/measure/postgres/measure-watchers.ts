import { setTimeout as sleep } from 'node:timers/promises';
import type { WatchersFinding, WatchersReport } from '../../findings.ts';
import { askChild } from '../../servers/ask-child.ts';
import { rosterStationPath } from '../../servers/contender.ts';
import { readPeakRss, readRss, resetPeakRss } from '../../servers/process-usage.ts';
import type { RosterServer } from '../../servers/roster-server.ts';
import type { Workspace } from '../../workspace.ts';
import { createStation } from '../imports/import-resources.ts';
import type { WatchersMessage } from './watchers-program.ts';
import { writeOne } from './write-one.ts';

const station = 'watched';
const count = 1_000;
const idle = 100;
const writes = 100;
const intervalMs = 250;
const resources = 20;

/** Many streams of one station during writes; the station is also written to before. */
export async function measureWatchers(workspace: Workspace, node: RosterServer): Promise<WatchersFinding> {
  await createStation(node.origin, station);
  const write = () => writeOne(node.origin, station, { sku: String(Date.now()), resources });
  for (let turn = 0; turn < 20; turn++) await write();
  await sleep(1_000);
  const before = readRss(node.processId);
  resetPeakRss(node.processId);
  const child = workspace.fork(new URL('watchers-program.ts', import.meta.url));
  const port = Number(new URL(node.origin).port);
  const path = `${rosterStationPath(station)}/changes/stream`;
  await askChild(child, { open: { port, path, count, idle } } satisfies WatchersMessage);
  for (let turn = 0; turn < writes; turn++) {
    await write();
    await sleep(intervalMs);
  }
  await sleep(3_000);
  const peak = readPeakRss(node.processId);
  const report = await askChild<WatchersReport>(child, { report: true } satisfies WatchersMessage);
  await workspace.stop(child);
  const grownBytes = before === undefined || peak === undefined ? undefined : peak - before;
  return { count, idle, ...report, grownBytes };
}
