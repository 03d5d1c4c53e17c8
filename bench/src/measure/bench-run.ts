import type { StationData } from '../dataset/station-data.ts';
import type { Findings } from '../findings.ts';
import type { LoadTool } from '../load/load-slice.ts';
import type { BenchOptions } from '../parse-arguments.ts';
import type { Contender } from '../servers/contender.ts';
import type { RawServer } from '../servers/start-raw-server.ts';
import type { Workspace } from '../workspace.ts';

/** One run of the benchmark. Its first steps add the data and the servers, the later ones measure them. */
export interface BenchRun {
  readonly workspace: Workspace;
  readonly options: BenchOptions;
  readonly tool: LoadTool;
  readonly findings: Findings;
  readonly stations: Map<number, StationData>;
  readonly contenders: Contender[];
  raw: RawServer | undefined;
}

/** The contenders that hold the station of one size, the subject first. */
export function contendersAt(run: BenchRun, size: number): Contender[] {
  const order = run.options.contenders;
  return run.contenders
    .filter((contender) => contender.size === size)
    .sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
}
