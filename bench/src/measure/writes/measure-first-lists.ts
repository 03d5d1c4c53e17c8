import type { StationData } from '../../dataset/station-data.ts';
import type { FirstListFinding } from '../../findings.ts';
import { listOnce } from '../../servers/list-once.ts';
import type { RosterServer } from '../../servers/roster-server.ts';
import { importOf, importResources } from '../imports/import-resources.ts';

/** Seconds of an import, and of the first list of its station, asked for at once. */
export async function measureFirstLists(
  data: StationData,
  server: RosterServer,
  times: number,
): Promise<FirstListFinding> {
  const finding: FirstListFinding = { size: data.size, importSeconds: [], listSeconds: [] };
  for (let turn = 0; turn < times; turn++) {
    const station = `first-${turn}`;
    finding.importSeconds.push(await importResources(importOf(data, server, station)));
    const startedMs = performance.now();
    const total = await listOnce(server, station);
    if (total !== data.size) throw new Error(`the first list has ${total} resources`);
    finding.listSeconds.push((performance.now() - startedMs) / 1000);
  }
  return finding;
}
