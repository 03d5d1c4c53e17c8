import fc from 'fast-check';
import { expect, it } from 'vitest';
import { scale } from '../../testing/scale.ts';
import { seed } from '../../testing/seed.ts';
import type { Answer } from '../testing/answer-reader.ts';
import { applyChange, type Replayed } from '../testing/apply-change.ts';
import { problemFault } from '../testing/check-answer.ts';
import { type RunningServer, startServer } from '../testing/start-server.ts';
import { numbered, Station } from '../testing/station.ts';
import { figuresOf } from '../testing/station-model.ts';
import { FuzzLane } from './testing/fuzz-lane.ts';
import type { FuzzRequest } from './testing/fuzz-request.ts';
import { operationRequest, operationsOf } from './testing/operation-arbitrary.ts';

/** Makes the webhook of a station work. It is never there itself. */
const deadSource = JSON.stringify([
  {
    name: 'prom',
    prometheus: { url: 'http://127.0.0.1:9' },
    stations: ['subscriptions/e2e/resourceGroups/tests/zones/zone-1/telemetryStations/station'],
    tie: [{ label: 'instance', to: 'name' }],
  },
]);

const requestCount = scale(1_000, 15_000);
const requestsPerPipeline = 20;
const lanes = 4;
const allowedGrowthMb = 200;

/** Says what is wrong with an answer; undefined when nothing is. */
function answerFault(
  { method, headers }: FuzzRequest,
  { status, headers: answered, body }: Answer,
): string | undefined {
  if (status >= 500) return `status ${status}: ${body}`;
  if (method === 'HEAD' || status === 204) return undefined;
  if (status >= 400) return problemFault({ status, headers: answered, body });
  if (status === 304)
    return headers.some(([name]) => name === 'If-None-Match') ? undefined : 'an unasked 304';
  if (status === 302 || status === 303)
    return answered.get('location')?.startsWith('/') ? undefined : 'led to elsewhere';
  const type = answered.get('content-type') ?? 'none';
  const text = body.toString();
  if (type.startsWith('application/json')) JSON.parse(text);
  else if (type.startsWith('application/x-ndjson'))
    for (const line of text.split('\n').slice(0, -1)) JSON.parse(line);
  else if (type.startsWith('text/csv'))
    return text.startsWith('resource_id,') ? undefined : 'a CSV without a header';
  else if (type.startsWith('text/plain'))
    return text.startsWith('# HELP roster_') ? undefined : 'a text that is no metrics';
  else return `a success of type ${type}`;
  return undefined;
}

/** Whatever happened to a station, all that is said of it must agree. */
async function checkStation(station: Station): Promise<void> {
  const records = await station.records();
  const { revision, resources } = await station.described();
  expect(resources).toEqual(figuresOf(records));
  expect(await station.summary()).toMatchObject({ ...resources, revision });
  const { resources: listed } = await station.list();
  expect(listed).toEqual(
    records.map(({ product: _, alertable: __, state_since: ___, labels: ____, ...rest }) => rest),
  );
  const state: Replayed = new Map();
  for (const change of await station.history()) applyChange(state, change);
  expect([...state.keys()].sort()).toEqual(records.map(({ resource_id: id }) => id).sort());
}

async function prepare(server: RunningServer): Promise<{ revisions: string[]; etags: string[] }> {
  const revisions = ['a.1', 'a.99999999999999999999', '.'];
  const etags = ['"x"'];
  const station = await Station.create(server);
  for (let count = 1; count < 4; count++) {
    await station.write(numbered(count));
    const response = await station.get();
    await response.text();
    revisions.push(response.headers.get('roster-revision')!);
    etags.push(response.headers.get('etag')!);
  }
  return { revisions, etags };
}

it(`answers ${requestCount} odd requests to every operation, seed ${seed}`, async () => {
  const server = await startServer({
    environment: { ROSTER_SOURCES: deadSource, ROSTER_LOG_LEVEL: 'error' },
  });
  const all = operationsOf((await (await server.fetch('/openapi.json')).json()) as never);
  // A stream has no end to wait for.
  const operations = all.filter(({ path }) => !path.endsWith('/stream'));
  const request = operationRequest(operations, await prepare(server));
  const pipeline = fc.array(request, { minLength: requestsPerPipeline, maxLength: requestsPerPipeline });
  const tally = new Map<number, number>();
  const runAll = async (count: number, firstSeed: number) => {
    const numRuns = Math.ceil(count / requestsPerPipeline / lanes);
    const runs = Array.from({ length: lanes }, (_, lane) => {
      const { exchange } = new FuzzLane(server, answerFault, tally);
      return fc.assert(fc.asyncProperty(pipeline, exchange), { numRuns, seed: firstSeed + lane });
    });
    await Promise.all(runs);
  };
  await runAll(requestCount / 4, seed);
  const before = server.process.residentMb();
  await runAll((requestCount / 4) * 3, seed + lanes);
  expect(server.process.residentMb() - before).toBeLessThan(allowedGrowthMb);
  // Where one of these is rare, the requests no longer reach what they are meant to reach. Few requests may miss some.
  for (const status of [200, 204, 400, 404, 405, 409, 415, ...scale([], [201, 304, 410, 412, 422])]) {
    expect(tally.get(status), `${status}`).toBeGreaterThan(requestCount / 4_000);
  }
  const stations = (await (await server.fetch('/roster/v1/stations?page.size=1000')).json()) as {
    stations: { station: string }[];
  };
  for (const { station } of stations.stations) await checkStation(new Station(server, `/${station}`));
  expect(server.process.stderr).toBe('');
  expect(await server.process.stop()).toEqual({ code: 0, signal: null });
});
