import tls from 'node:tls';
import { PostgresServer } from '@roster/store/postgres-server';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { longOnly, shortOnly } from '../../testing/scale.ts';
import { readEvents } from '../testing/read-events.ts';
import { type RunningServer, startServer } from '../testing/start-server.ts';
import { numbered, Station, stationPath } from '../testing/station.ts';
import { Cluster } from './testing/cluster.ts';
import { behindNginx, Nginx } from './testing/nginx.ts';
import { StationLoad } from './testing/station-load.ts';

let postgres: PostgresServer;

longOnly(beforeAll)(async () => {
  postgres = await PostgresServer.start();
});
longOnly(afterAll)(() => postgres[Symbol.asyncDispose]());

/** So many that both nodes have some. */
const stations = 16;
const size = 3_000;

/** Until the end of the test: files share a process. */
function trust({ certificate }: Nginx): void {
  const before = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...before, certificate]);
  onTestFinished(() => tls.setDefaultCACertificates(before));
}

/** Two nodes as if they were one server. */
async function startBehindNginx(cluster: Cluster): Promise<{ nginx: Nginx; server: RunningServer }> {
  const nginx = await Nginx.start(cluster.nodes.map(({ server }) => server.url));
  trust(nginx);
  const url = `https://127.0.0.1:${nginx.port}`;
  const fetchThrough = (path: string, init?: RequestInit) => fetch(`${url}${path}`, init);
  return { nginx, server: { ...cluster.nodes[0]!.server, url, fetch: fetchThrough } };
}

longOnly(behindNginx)('passes lists, imports and streams, and keeps each station on one node', async () => {
  await using cluster = await Cluster.start(postgres, 2);
  const { nginx, server } = await startBehindNginx(cluster);
  for (let at = 0; at < stations; at++) {
    const station = await Station.create(server, `station ${at}`.replace(' ', '%20'));
    expect((await station.write(numbered(size))).status).toBe(200);
    const { revision, page } = await station.list('?page.size=5');
    expect(page!.total).toBe(size);
    await station.write([{ resource_id: 'new' }]);
    const pinned = await station.list('?page.size=5&page.offset=5', { 'Roster-Revision': revision });
    expect(pinned.page!.total).toBe(size);
    expect((await station.list()).resources).toHaveLength(size + 1);
  }
  const upstreams = Map.groupBy(nginx.log(), ({ path }) => /telemetryStations\/([^/?]+)/.exec(path)![1]);
  expect(upstreams.size).toBe(stations);
  const used = [...upstreams.values()].map((requests) => new Set(requests.map(({ upstream }) => upstream)));
  expect(used.map((servers) => servers.size)).toEqual(Array(stations).fill(1));
  expect(new Set(used.flatMap((servers) => [...servers])).size).toBe(2);
});

shortOnly(behindNginx)('does not let a client say by which name it came', async () => {
  const node = await startServer({ environment: { ROSTER_TRUST_PROXY: '127.0.0.1' } });
  const nginx = await Nginx.start([node.url, node.url]);
  trust(nginx);
  const putFrom = (host: string) =>
    fetch(`https://127.0.0.1:${nginx.port}/roster/v1${stationPath('t')}`, {
      method: 'PUT',
      headers: { Origin: `https://${host}`, 'X-Forwarded-Host': host },
    });
  expect((await putFrom('127.0.0.1')).status).toBe(201);
  expect((await putFrom('evil.example')).status).toBe(403);
});

longOnly(behindNginx)('passes changes on as they happen', async () => {
  await using cluster = await Cluster.start(postgres, 2);
  const { server } = await startBehindNginx(cluster);
  const station = await Station.create(server);
  const events = readEvents(await station.ask('/changes/stream'));
  expect((await events.next()).value).toMatchObject({ event: 'revision' });
  for (const id of ['a', 'b', 'c']) {
    await station.write([{ resource_id: id }]);
    expect((await events.next()).value).toMatchObject({
      event: 'changes',
      data: { changes: [{ resource_id: id }] },
    });
  }
  await events.return(undefined);
});

longOnly(behindNginx)('answers through a rolling upgrade, and loses nothing', async () => {
  await using cluster = await Cluster.start(postgres, 2);
  const ports = cluster.nodes.map(({ server }) => new URL(server.url).port);
  const { server } = await startBehindNginx(cluster);
  const load = await StationLoad.start({ nodes: [{ server, log: '' }] });
  for (const [at, node] of cluster.nodes.entries()) {
    await load.untilAcknowledged(20);
    await node.server.process.stop();
    await load.untilAcknowledged(20);
    await node.start(ports[at]!);
    // So long nginx does not ask a node again that failed.
    await load.goOn(6_000);
  }
  await load.untilAcknowledged(20);
  await load.finish();
  expect(load.history.counts().unavailable).toBe(0);
});
