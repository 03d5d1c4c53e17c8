import type { DocumentedCaseName } from '../../dataset/list-cases.ts';
import type { StationData } from '../../dataset/station-data.ts';
import type { StoreRates } from '../../findings.ts';
import { type LoadSlice, sliceSeconds } from '../../load/load-slice.ts';
import type { Contender } from '../../servers/contender.ts';
import type { RosterServer } from '../../servers/roster-server.ts';
import type { BenchRun } from '../bench-run.ts';
import { runSlice } from '../lists/measure-round.ts';
import { type PreparedListCase, prepareListCase } from '../lists/prepare-list-case.ts';
import { warmUpTarget } from '../lists/warm-up-target.ts';

/** For all cases together, and then for each. */
const warmUpSeconds = { together: 8, alone: 3 };

/** The same station in two servers, one on each store. */
export interface StorePair {
  readonly data: StationData;
  readonly sqlite: RosterServer;
  readonly postgres: RosterServer;
}

/** Checks every answer, then loads both servers one right after the other, under the same conditions. */
export async function measureStores(
  run: BenchRun,
  pair: StorePair,
  names: readonly DocumentedCaseName[],
): Promise<StoreRates[]> {
  const { workspace } = run;
  const contenders = [pair.postgres, pair.sqlite].map((server) => toContender(server, pair.data.size));
  const prepared: PreparedListCase[] = [];
  for (const name of names) {
    const one = await prepareListCase(name, { workspace, raw: run.raw!, data: pair.data, contenders });
    if (one && name !== '304') prepared.push(one);
  }
  if (prepared.length > 0) {
    const target = warmUpTarget(workspace, prepared);
    const slice = { headers: {}, target, seconds: warmUpSeconds.together };
    for (const { origin } of contenders) await run.tool.run({ ...slice, origin });
  }
  const rates: StoreRates[] = [];
  for (const one of prepared) {
    await runSlices(run, pair, one, { round: 0, seconds: warmUpSeconds.alone });
    const ofCase: StoreRates = {
      case: one.name,
      size: one.size,
      sqlite: [],
      postgres: [],
      postgresP99Ms: [],
      sqliteCpuUs: [],
      postgresCpuUs: [],
    };
    for (let round = 0; round < run.options.rounds; round++) {
      const { sqlite, postgres } = await runSlices(run, pair, one, { round, seconds: sliceSeconds });
      ofCase.sqlite.push(sqlite.requestsPerSecond);
      ofCase.postgres.push(postgres.requestsPerSecond);
      ofCase.postgresP99Ms.push(postgres.p99Ms);
      if (sqlite.cpuUs && postgres.cpuUs) {
        ofCase.sqliteCpuUs.push(sqlite.cpuUs);
        ofCase.postgresCpuUs.push(postgres.cpuUs);
      }
    }
    rates.push(ofCase);
  }
  return rates;
}

/** The order alternates from round to round. */
async function runSlices(
  { tool }: BenchRun,
  { sqlite, postgres }: StorePair,
  one: PreparedListCase,
  { round, seconds }: { round: number; seconds: number },
) {
  const slice: Omit<LoadSlice, 'origin'> = {
    headers: one.headers,
    seconds,
    target: one.targetInRound(round),
  };
  const load = (server: RosterServer) => runSlice(tool, slice, server);
  if (round % 2 === 0) {
    const first = await load(sqlite);
    return { sqlite: first, postgres: await load(postgres) };
  }
  const first = await load(postgres);
  return { sqlite: await load(sqlite), postgres: first };
}

function toContender({ origin, processId }: RosterServer, size: number): Contender {
  return { name: 'roster', size, origin, healthPath: '/healthz', processId };
}
