import http from 'node:http';
import { formatQuery } from '../../dataset/format-query.ts';
import { queriesOfCase } from '../../dataset/list-cases.ts';
import type { QuestionFinding } from '../../findings.ts';
import { captureOne } from '../../servers/capture-responses.ts';
import { listPath } from '../../servers/contender.ts';
import type { RosterServer } from '../../servers/roster-server.ts';
import { percentile } from '../../statistics.ts';
import type { StorePair } from './measure-stores.ts';

const warmUpRequests = 300;
const requests = 2_000;

export async function measureQuestion({ data, sqlite, postgres }: StorePair): Promise<QuestionFinding> {
  const path = listPath(formatQuery(queriesOfCase('C1', data.resources)[0]!));
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const timeOne = async ({ origin }: RosterServer) => {
    const sentMs = performance.now();
    await captureOne(`${origin}${path}`, {}, agent);
    return performance.now() - sentMs;
  };
  const times: { sqlite: number[]; postgres: number[] } = { sqlite: [], postgres: [] };
  for (let turn = -warmUpRequests; turn < requests; turn++) {
    const [onSqlite, onPostgres] = [await timeOne(sqlite), await timeOne(postgres)];
    if (turn < 0) continue;
    times.sqlite.push(onSqlite);
    times.postgres.push(onPostgres);
  }
  agent.destroy();
  return {
    size: data.size,
    sqliteP50Ms: percentile(times.sqlite, 0.5),
    postgresP50Ms: percentile(times.postgres, 0.5),
  };
}
