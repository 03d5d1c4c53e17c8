import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { record, TestServer } from '../../testing/test-server.ts';

let server: TestServer;

interface StationsBody {
  readonly stations: { readonly telemetry_station_name: string; readonly resources: object }[];
  readonly page: object;
}

beforeAll(async () => {
  server = await TestServer.start();
  for (const path of [
    'subscriptions/a/resourceGroups/g/zones/z1/telemetryStations/gpu-1',
    'subscriptions/a/resourceGroups/g/zones/z2/telemetryStations/gpu-2',
    'subscriptions/b/resourceGroups/g/zones/z1/telemetryStations/gpu-1',
    'subscriptions/b/resourceGroups/h%2Fx/zones/z1/telemetryStations/%E5%9F%BA',
  ]) {
    await fetch(`${server.url}/roster/v1/${path}`, { method: 'PUT' });
  }
});

afterAll(() => server[Symbol.asyncDispose]());

const stations = async (query = '') => {
  const response = await fetch(`${server.url}/roster/v1/stations?${query}`);
  return { status: response.status, body: (await response.json()) as StationsBody };
};
const names = async (query: string) =>
  (await stations(query)).body.stations.map((each) => each.telemetry_station_name);

describe('the list of stations', () => {
  it('has all of them in order, with a page', async () => {
    const { body } = await stations();
    expect(body.stations.map((each) => each.telemetry_station_name)).toEqual([
      'gpu-1',
      'gpu-2',
      'gpu-1',
      '基',
    ]);
    expect(body.page).toEqual({ offset: 0, size: 50, total: 4 });
  });

  it('filters by each name and by the beginning of the last', async () => {
    expect(await names('subscription_name=b')).toEqual(['gpu-1', '基']);
    expect(await names('resource_group_name=h/x')).toEqual(['基']);
    expect(await names('zone=z2')).toEqual(['gpu-2']);
    expect(await names('telemetry_station_name=gpu-1&subscription_name=a')).toEqual(['gpu-1']);
    expect(await names('telemetry_station_name_prefix=gpu')).toEqual(['gpu-1', 'gpu-2', 'gpu-1']);
    expect(await names('telemetry_station_name_prefix=GPU')).toEqual([]);
  });

  it('pages like the list of resources', async () => {
    expect((await stations('page.offset=1&page.size=2')).body).toMatchObject({
      stations: [{ zone: 'z2' }, { subscription_name: 'b' }],
      page: { offset: 1, size: 2, total: 4 },
    });
    expect((await stations('page.offset=9')).body).toMatchObject({ stations: [], page: { total: 4 } });
    expect((await stations('page.size=0')).body).toMatchObject({ stations: [], page: { total: 4 } });
    expect((await stations('page.size=1001')).status).toBe(400);
    expect((await stations('subscription=a')).body).toMatchObject({
      code: 'unknown_parameter',
      detail: 'unknown parameter "subscription"; did you mean "subscription_name"?',
    });
  });
});

describe('a station', () => {
  it('tells its counts, in step with what is written', async () => {
    const created = await server.createStation();
    expect(created.status).toBe(201);
    expect(await created.json()).toMatchObject({
      resources: { total: 0, alertable: 0, uncovered: 0, states: {} },
    });
    await server.write(
      record('1', { alert_rules_count: 2, state: 'ALERTSTATE_FIRING' }),
      record('2'),
      record('3', { alertable: false }),
    );
    const read = async () => (await server.manage('')).json();
    expect(await read()).toMatchObject({
      station: 'subscriptions/s/resourceGroups/g/zones/z/telemetryStations/t',
      resources: {
        total: 3,
        alertable: 2,
        covered: 1,
        uncovered: 1,
        states: { ALERTSTATE_FIRING: 1, ALERTSTATE_INACTIVE: 2 },
      },
    });
    await server.write(record('1', { alert_rules_count: 0, state: 'ALERTSTATE_INACTIVE' }));
    await server.manage('/resources/3', { method: 'DELETE' });
    expect(await read()).toMatchObject({
      resources: { total: 2, alertable: 2, covered: 0, uncovered: 2, states: { ALERTSTATE_INACTIVE: 2 } },
    });
  });

  it('that is not there is not found', async () => {
    const response = await fetch(
      `${server.url}/roster/v1/subscriptions/x/resourceGroups/g/zones/z/telemetryStations/t`,
    );
    expect([response.status, await response.json()]).toMatchObject([404, { code: 'station_not_found' }]);
  });

  it('is deleted only at the revision that If-Match names', async () => {
    const url = `${server.url}/roster/v1/subscriptions/a/resourceGroups/g/zones/z1/telemetryStations/gpu-1`;
    const revision = (await fetch(url)).headers.get('roster-revision')!;
    const remove = (ifMatch: string) => fetch(url, { method: 'DELETE', headers: { 'If-Match': ifMatch } });
    const wrong = await remove('"zzz.0"');
    expect([wrong.status, await wrong.json()]).toMatchObject([412, { code: 'revision_mismatch', revision }]);
    expect((await remove(revision)).status).toBe(400);
    expect((await remove(`"${revision}"`)).status).toBe(204);
  });
});
