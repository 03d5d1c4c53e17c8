import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Store, TrendHour } from '@roster/engine';
import { createSqliteStore } from '@roster/store';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { record, TestServer } from '../../testing/test-server.ts';
import { toPoints } from './trends.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** A full day, some days ago. */
const midnight = Math.floor(Date.now() / day) * day - 3 * day;
const address = { subscription: 's', resourceGroup: 'g', zone: 'z', name: 't' };
const iso = (ms: number) => new Date(ms).toISOString();

let directory: string;
let server: TestServer;

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'roster-trends-'));
  const store = await createSqliteStore({ directory });
  await fill(store);
  await store.close();
  server = await TestServer.start({ ROSTER_DATA: directory });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

/** One resource that fires for 20 minutes of the second hour; samples for three hours, and again a day later. */
async function fill(store: Store): Promise<void> {
  await store.createStation(address);
  const write = async (state: string) => {
    const batch = await store.openBatch(address);
    const resource = { resourceId: 'a', name: 'a', typeKey: 'resource_type.compute.vm', alertRulesCount: 1 };
    await batch.add([{ line: 1, record: { ...resource, state } }]);
    await batch.commit();
  };
  const sample = (afterMs: number) => store.trends.sample(midnight + afterMs, 0);
  await write('ALERTSTATE_INACTIVE');
  await sample(0);
  await write('ALERTSTATE_FIRING');
  await sample(hour + 20 * minute);
  await write('ALERTSTATE_INACTIVE');
  await sample(hour + 40 * minute);
  await sample(2 * hour);
  await sample(day + 5 * hour);
}

const trends = (query: string) => server.manage(`/trends?${query}`);
const pointsOf = async (query: string) =>
  ((await (await trends(query)).json()) as { points: object[] }).points;
const range = (fromMs: number, toMs: number) =>
  `after=${iso(midnight + fromMs)}&before=${iso(midnight + toMs)}`;

const calm = {
  total: 1,
  alertable: 1,
  covered: 1,
  uncovered: 0,
  states: { ALERTSTATE_INACTIVE: 1 },
  peaks: { ALERTSTATE_INACTIVE: 1 },
};
const unknown = {
  hours: 0,
  total: null,
  alertable: null,
  covered: null,
  uncovered: null,
  states: null,
  peaks: null,
};
const peaks = { ALERTSTATE_FIRING: 1, ALERTSTATE_INACTIVE: 1 };

describe('the trends of a station', () => {
  it('have a point for each hour, with what was over by its end, and nothing where nothing is known', async () => {
    const answer = await trends(range(-hour, 4 * hour));
    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        step: 'hour',
        points: [
          { time: iso(midnight - hour), ...unknown },
          { time: iso(midnight), hours: 1, ...calm },
          { time: iso(midnight + hour), hours: 1, ...calm, peaks },
          { time: iso(midnight + 2 * hour), hours: 1, ...calm },
          { time: iso(midnight + 3 * hour), ...unknown },
        ],
      },
    ]);
  });

  it('have a point for each day, which says how much of it is known', async () => {
    expect(await pointsOf(`step=day&${range(-1, 3 * day)}`)).toEqual([
      { time: iso(midnight - day), ...unknown },
      { time: iso(midnight), hours: 3, ...calm, peaks },
      { time: iso(midnight + day), hours: 1, ...calm },
      { time: iso(midnight + 2 * day), ...unknown },
    ]);
  });

  it('end now, whatever is asked for', async () => {
    const points = await pointsOf(`before=${iso(Date.now() + day)}`);
    expect(points.length).toBeGreaterThanOrEqual(24);
    expect(points.length).toBeLessThanOrEqual(26);
    expect(await pointsOf(`after=${iso(Date.now() + 2 * day)}`)).toEqual([]);
  });

  it('are refused with a reason', async () => {
    for (const [query, detail] of [
      ['step=minute', 'step must be one of hour, day, got "minute"'],
      ['befor=x', 'did you mean "before"?'],
      [`after=${iso(midnight - 365 * day)}`, 'ask for a shorter range, or step=day'],
      ['after=x', 'after '],
    ]) {
      const answer = await trends(query!);
      expect([answer.status, await answer.json()]).toMatchObject([
        400,
        {
          code: expect.stringMatching(/^(invalid|unknown)_parameter$/),
          detail: expect.stringContaining(detail!),
        },
      ]);
    }
    const missing = await fetch(
      `${server.url}/roster/v1/subscriptions/s/resourceGroups/g/zones/z/telemetryStations/x/trends`,
    );
    expect(missing.status).toBe(404);
  });
});

it('summarises the hours of a day in any number of states', () => {
  const hours: TrendHour[] = [0, 1].map((at) => ({
    startMs: midnight + at * hour,
    counts: { resources: 2, alertable: 1, uncovered: at, byState: { ALERTSTATE_ODD: 2 } },
    peaks: { ALERTSTATE_ODD: 2 - at, ALERTSTATE_FIRING: at },
  }));
  expect(toPoints(hours, { step: 'day', fromMs: midnight, toMs: midnight + day })).toMatchObject([
    { hours: 2, covered: 0, uncovered: 1, peaks: { ALERTSTATE_ODD: 2, ALERTSTATE_FIRING: 1 } },
  ]);
});

it('is sampled while the server runs', async () => {
  await using sampling = await TestServer.start({ ROSTER_TREND_SAMPLE_SECONDS: '1' });
  await sampling.createStation();
  await sampling.write(record('a', { state: 'ALERTSTATE_FIRING' }));
  await vi.waitFor(
    async () => {
      const { points } = (await (await sampling.manage('/trends')).json()) as { points: object[] };
      expect(points.at(-1)).toMatchObject({ hours: 1, total: 1, states: { ALERTSTATE_FIRING: 1 } });
    },
    { timeout: 10_000, interval: 100 },
  );
});

it('refuses times with too many figures, however many states the station had', async () => {
  const data = await mkdtemp(path.join(os.tmpdir(), 'roster-trends-'));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  const store = await createSqliteStore({ directory: data });
  await store.createStation(address);
  const batch = await store.openBatch(address);
  const typeKey = 'resource_type.compute.vm';
  const states = Array.from({ length: 900 }, (_, at) => `ALERTSTATE_${at}`);
  await batch.add(
    states.map((state, at) => ({
      line: at + 1,
      record: { resourceId: state, name: state, typeKey, state },
    })),
  );
  await batch.commit();
  for (let at = 0; at < 30; at++) await store.trends.sample(midnight + at * hour, 0);
  await store.close();
  await using crowded = await TestServer.start({ ROSTER_DATA: data });
  const refused = await crowded.manage(`/trends?${range(0, 30 * hour)}`);
  expect([refused.status, await refused.json()]).toEqual([
    400,
    expect.objectContaining({ code: 'invalid_parameter', parameter: 'after' }),
  ]);
  expect((await crowded.manage(`/trends?${range(0, 10 * hour)}`)).status).toBe(200);
});
