import fc from 'fast-check';
import { expect, it } from 'vitest';
import { scale } from '../../testing/scale.ts';
import { seed } from '../../testing/seed.ts';
import type { Answer } from '../testing/answer-reader.ts';
import { listFault, problemFault } from '../testing/check-answer.ts';
import { startServer } from '../testing/start-server.ts';
import { Station, samplePath } from '../testing/station.ts';
import { FuzzLane } from './testing/fuzz-lane.ts';
import type { FuzzRequest } from './testing/fuzz-request.ts';
import { brokenRequest, type KnownValues, wellFormedRequest } from './testing/request-arbitrary.ts';

const requestCount = scale(1_000, 30_000);
const requestsPerPipeline = 25;
const lanes = 4;
const allowedGrowthMb = 200;

/** Says what is wrong with an answer; undefined when nothing is. */
function answerFault({ method, target, headers }: FuzzRequest, answer: Answer): string | undefined {
  const { status } = answer;
  if (status >= 500) return `status ${status}: ${answer.body}`;
  if (method === 'HEAD' || status === 204) return undefined;
  const type = answer.headers.get('content-type');
  // Pages of the console, one of which says that there is none.
  const isPage = type?.startsWith('text/html') && !/^\/(monitor|roster)\//.test(target);
  const isBrowser = headers.some(([name, value]) => name === 'Accept' && value.includes('text/html'));
  if (isPage && (status < 400 || (status === 404 && isBrowser))) return undefined;
  if (status >= 400) return problemFault(answer);
  if (status === 304)
    return headers.some(([name]) => name === 'If-None-Match') ? undefined : 'an unasked 304';
  if (!type?.startsWith('application/json')) return 'a success that is not JSON';
  const body: unknown = JSON.parse(answer.body.toString());
  if (target.startsWith('/monitor/')) {
    return answer.headers.has('roster-revision') && answer.headers.has('etag')
      ? listFault(body)
      : 'no revision';
  }
  return typeof body === 'object' && body !== null ? undefined : 'a body that is no object';
}

function pipelines(known: KnownValues): fc.Arbitrary<FuzzRequest[]> {
  const wellFormed = wellFormedRequest(known);
  const count = requestsPerPipeline - 1;
  return fc
    .tuple(
      fc.array(wellFormed, { minLength: count, maxLength: count }),
      fc.oneof(brokenRequest, wellFormed, wellFormed),
    )
    .map(([requests, last]) => [...requests, last]);
}

it(`answers ${requestCount} odd requests in order, seed ${seed}`, async () => {
  const server = await startServer({ environment: { ROSTER_SAMPLE: 'true' } });
  const station = new Station(server, samplePath);
  const whole = await station.list();
  const known = {
    revision: whole.revision,
    etag: (await station.get('?page.size=0')).headers.get('etag')!,
    resourceIds: whole.resources.slice(0, 5).map(({ resource_id: id }) => id),
  };
  const tally = new Map<number, number>();
  const runAll = async (count: number, firstSeed: number) => {
    const numRuns = Math.ceil(count / requestsPerPipeline / lanes);
    const runs = Array.from({ length: lanes }, (_, lane) => {
      const { exchange } = new FuzzLane(server, answerFault, tally);
      return fc.assert(fc.asyncProperty(pipelines(known), exchange), { numRuns, seed: firstSeed + lane });
    });
    await Promise.all(runs);
  };
  await runAll(requestCount / 10, seed);
  const before = server.process.residentMb();
  await runAll((requestCount / 10) * 9, seed + lanes);
  expect(server.process.residentMb() - before).toBeLessThan(allowedGrowthMb);
  // Where one of these is rare, the requests no longer reach what they are meant to reach.
  for (const status of [200, 304, 400, 404, 405, ...scale([], [410])])
    expect(tally.get(status), `${status}`).toBeGreaterThan(requestCount / 2_000);
  expect(await station.list()).toEqual(whole);
  expect(server.process.stderr).toBe('');
  expect(await server.process.stop()).toEqual({ code: 0, signal: null });
});
