import { cpSync, writeFileSync } from 'node:fs';
import { formatQuery } from '../dataset/format-query.ts';
import { queriesOfCase } from '../dataset/list-cases.ts';
import type { StationData } from '../dataset/station-data.ts';
import type { AccessRates } from '../findings.ts';
import { type LoadSlice, sliceSeconds } from '../load/load-slice.ts';
import { listPath } from '../servers/contender.ts';
import { RosterServer } from '../servers/roster-server.ts';
import type { BenchRun } from './bench-run.ts';
import { importOf, importResources } from './imports/import-resources.ts';

const cases = ['C1', 'C7'] as const;
const warmUpSeconds = 3;
/** Rate limiting is on, with a limit that is never reached. */
const withTokens = { ROSTER_AUTH: 'on', ROSTER_LIMITS_REQUESTS_PER_SECOND: '1000000' };

/** Loads two servers with the same station in turn, one with authentication and one without. */
export async function measureAccess(run: BenchRun, data: StationData): Promise<AccessRates[]> {
  const { workspace } = run;
  const open = await fillServer(run, data);
  const directory = workspace.newDirectory('access');
  cpSync(open.dataDirectory, directory, { recursive: true });
  const [without, guarded] = await Promise.all([
    RosterServer.start({ workspace, dataDirectory: open.dataDirectory }),
    RosterServer.start({ workspace, dataDirectory: directory, environment: withTokens }),
  ]);
  const token = await makeReader(guarded);
  const sides = [
    { origin: without.origin, headers: {} },
    { origin: guarded.origin, headers: { Authorization: `Bearer ${token}` } },
  ] as const;
  const measured: AccessRates[] = [];
  for (const name of cases) measured.push(await measureCase(run, { name, data, sides }));
  await Promise.all([without.stop(), guarded.stop()]);
  workspace.removeDirectory(open.dataDirectory);
  workspace.removeDirectory(directory);
  return measured;
}

async function fillServer({ workspace }: BenchRun, data: StationData): Promise<{ dataDirectory: string }> {
  const dataDirectory = workspace.newDirectory('access');
  const server = await RosterServer.start({ workspace, dataDirectory });
  await importResources(importOf(data, server, 'bench'));
  await server.stop();
  return { dataDirectory };
}

/** A typical token: read-only, for some stations. */
async function makeReader(server: RosterServer): Promise<string> {
  const first = await server.firstToken();
  const response = await fetch(`${server.origin}/roster/v1/tokens`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${first}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'bench', role: 'reader', scopes: ['bench/**'], expires_in: '1d' }),
  });
  const body = (await response.json()) as { token?: string };
  if (body.token === undefined) throw new Error(`no token: ${response.status} ${JSON.stringify(body)}`);
  return body.token;
}

interface MeasuredCase {
  readonly name: AccessRates['case'];
  readonly data: StationData;
  readonly sides: readonly [Side, Side];
}

type Side = Pick<LoadSlice, 'origin' | 'headers'>;

async function measureCase(run: BenchRun, { name, data, sides }: MeasuredCase): Promise<AccessRates> {
  const { tool, workspace, options } = run;
  const paths = queriesOfCase(name, data.resources).map((query) => listPath(formatQuery(query)));
  const pathsFile = workspace.path(`access-${name}.txt`);
  writeFileSync(pathsFile, `${paths.join('\n')}\n`);
  const load = async (side: Side, seconds: number) => {
    const { requestsPerSecond } = await tool.run({ ...side, seconds, target: { pathsFile, start: 0 } });
    return requestsPerSecond;
  };
  for (const side of sides) await load(side, warmUpSeconds);
  const rates: AccessRates = { case: name, size: data.size, withoutAccess: [], withAccess: [] };
  const turns = [
    { side: sides[0], into: rates.withoutAccess },
    { side: sides[1], into: rates.withAccess },
  ];
  for (let round = 0; round < options.rounds; round++) {
    for (const { side, into } of round % 2 === 0 ? turns : turns.toReversed()) {
      into.push(await load(side, sliceSeconds));
    }
  }
  return rates;
}
