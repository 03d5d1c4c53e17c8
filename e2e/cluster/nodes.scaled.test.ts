import { PostgresServer } from '@roster/store/postgres-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { longOnly, scale, shortOnly } from '../../testing/scale.ts';
import { type RunningServer, startServer } from '../testing/start-server.ts';
import { listPath, Station } from '../testing/station.ts';
import type { List } from '../testing/station-answers.ts';

let postgres: PostgresServer;

beforeAll(async () => {
  postgres = await PostgresServer.start();
});
afterAll(() => postgres[Symbol.asyncDispose]());

async function startNodes(): Promise<[RunningServer, RunningServer]> {
  const url = (await postgres.createDatabase()).replace('roster@', 'roster:secret@');
  const environment = { ROSTER_DATA: '', ROSTER_DATABASE_URL: url, ROSTER_DATABASE_POOL: '8' };
  return [await startServer({ environment }), await startServer({ environment })];
}

async function listOn(node: RunningServer, station: Station, init?: RequestInit): Promise<Response> {
  return node.fetch(listPath(station.path, '?page.size=1000'), init);
}

it('shows on one node what another has acknowledged, with the labels of new types', async () => {
  const [a, b] = await startNodes();
  const station = await Station.create(a);
  for (let round = 1; round <= scale(8, 30); round++) {
    const resource_type = { key: `resource_type.round.r${round}`, label: `Round ${round}` };
    const response = await station.write([{ resource_id: `r-${round}`, resource_type }]);
    expect(response.status, await response.text()).toBe(200);
    const { resources } = (await (await listOn(b, station)).json()) as List;
    expect(resources).toHaveLength(round);
    expect(resources.find(({ resource_id }) => resource_id === `r-${round}`)).toMatchObject({
      resource_type,
    });
  }
});

longOnly(it)('says that it cannot tell while the database is away, and goes on when it is back', async () => {
  const [a, b] = await startNodes();
  const station = await Station.create(a);
  await station.write([{ resource_id: 'a' }]);
  const before = await listOn(b, station);
  const revision = before.headers.get('roster-revision')!;
  await postgres.stop();
  for (const node of [a, b]) {
    const response = await listOn(node, station);
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await response.text()).not.toContain('127.0.0.1');
  }
  await postgres.start();
  const after = await listOn(b, station, { headers: { 'Roster-Revision': revision } });
  expect(after.status).toBe(200);
  expect(await after.text()).toBe(await before.text());
});

longOnly(it)('expires what was read of a history that the database has lost', async () => {
  const [a, b] = await startNodes();
  const station = await Station.create(a);
  await station.write([{ resource_id: 'kept' }]);
  await postgres.stop();
  const backup = postgres.backUp();
  await postgres.start();
  await station.write([{ resource_id: 'lost' }]);
  const pin = { 'Roster-Revision': (await listOn(b, station)).headers.get('roster-revision')! };
  expect((await listOn(b, station, { headers: pin })).status).toBe(200);
  await postgres.stop();
  postgres.restore(backup);
  await postgres.start();
  for (const node of [a, b]) {
    expect((await listOn(node, station, { headers: pin })).status).toBe(410);
    const list = (await (await listOn(node, station)).json()) as List;
    expect(list.resources.map(({ resource_id }) => resource_id)).toEqual(['kept']);
  }
});

shortOnly(it)('tells where its data is, and no password', async () => {
  const [{ process }] = await startNodes();
  expect(process.stdout).toMatch(/Data {5}127\.0\.0\.1:\d+\/roster_\d+/);
  expect(process.stdout + process.stderr).not.toContain('secret');
});
