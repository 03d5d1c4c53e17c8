import type { StationData } from '../../dataset/station-data.ts';
import { listOnce } from '../../servers/list-once.ts';
import { RosterServer } from '../../servers/roster-server.ts';
import type { Workspace } from '../../workspace.ts';
import { importOf, importResources } from './import-resources.ts';

const imports = 3;

/** Seconds of several imports, each into a fresh station of one server and with nothing else going on. */
export async function measureImports(workspace: Workspace, data: StationData): Promise<number[]> {
  const dataDirectory = workspace.newDirectory('import');
  const server = await RosterServer.start({ workspace, dataDirectory });
  const seconds: number[] = [];
  for (let turn = 0; turn < imports; turn++) {
    const station = `import-${turn}`;
    seconds.push(await importResources(importOf(data, server, station)));
    // The server indexes what was imported, and would still do so during the next import.
    await listOnce(server, station);
  }
  await server.stop();
  workspace.removeDirectory(dataDirectory);
  return seconds;
}
