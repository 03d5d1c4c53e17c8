import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresServer } from '@roster/store/postgres-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Station } from '../testing/station.ts';
import { Cluster } from './testing/cluster.ts';
import { StationLoad } from './testing/station-load.ts';
import { writeOutcome } from './testing/write-outcome.ts';

let postgres: PostgresServer;

beforeAll(async () => {
  postgres = await PostgresServer.start();
});
afterAll(() => postgres[Symbol.asyncDispose]());

it('misses nothing when the connections that listen are dropped 100 times during writes', async () => {
  await using cluster = await Cluster.start(postgres, 2);
  const load = await StationLoad.start(cluster);
  let dropped = 0;
  while (dropped < 100 || load.history.counts().acknowledged < 50) {
    dropped += await postgres.cutConnections("query LIKE '%LISTEN%' OR query LIKE '%pg_notify%'");
    await load.goOn(20);
  }
  await load.finish();
});

it('gives 50 writers of one station contiguous revisions although commits are slow', async () => {
  await using cluster = await Cluster.start(postgres, 3);
  await postgres.query(slowCommits, cluster.databaseUrl);
  const load = await StationLoad.start(cluster, { writers: 50, writes: 4, listeners: 3 });
  await load.written;
  const revision = await load.finish();
  expect(load.history.counts()).toMatchObject({ acknowledged: 200, refused: 0, uncertain: 0 });
  expect(revision).toMatch(/\.200$/);
});

/** The trigger runs when the transaction commits. */
const slowCommits = `
  CREATE FUNCTION wait_a_moment() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_sleep(random() * 0.05); RETURN NULL; END';
  CREATE CONSTRAINT TRIGGER slow_commits AFTER INSERT ON revisions
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait_a_moment();
`;

it('says that a write is uncertain whose connection is lost during its commit, and never that it is done', async () => {
  await using cluster = await Cluster.start(postgres, 2);
  const [a, b] = cluster.nodes as [Cluster['nodes'][0], Cluster['nodes'][0]];
  const station = await Station.create(a.server);
  a.proxy.cutAfter = 'COMMIT\0';
  const response = await station.write([{ resource_id: 'kept' }]);
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({
    code: 'store_unavailable',
    outcome: 'unknown',
    detail: expect.stringMatching(/not known whether/),
  });
  a.proxy.cutAfter = undefined;
  await expect.poll(() => new Station(b.server, station.path).total()).toBe(1);
  expect(await station.total()).toBe(1);
  // What is repeated changes nothing.
  expect(await (await station.write([{ resource_id: 'kept' }])).json()).toMatchObject({ unchanged: 1 });
});

it('answers late but never old when answers are delayed, and 503 when they come too late', async () => {
  await using cluster = await Cluster.start(postgres, 2);
  const [near, far] = cluster.nodes as [Cluster['nodes'][0], Cluster['nodes'][0]];
  const station = await Station.create(near.server);
  const seenFromFar = new Station(far.server, station.path);
  await seenFromFar.list();
  far.proxy.delayMs = 300;
  for (let round = 1; round <= 5; round++) {
    await station.write([{ resource_id: `r-${round}` }]);
    expect(await seenFromFar.total()).toBe(round);
  }
  far.proxy.delayMs = 5_000;
  expect((await seenFromFar.get()).status).toBe(503);
  far.proxy.heal();
  await expect.poll(async () => (await seenFromFar.get()).status, { timeout: 60_000 }).toBe(200);
});

it('takes writes again when idle connections went dead without a word', async () => {
  await using cluster = await Cluster.start(postgres, 1);
  const { server, proxy } = cluster.nodes[0]!;
  const station = await Station.create(server);
  const writeSome = (round: string) =>
    Promise.all(
      Array.from({ length: 6 }, (_, at) => writeOutcome(station.write([{ resource_id: `${round}-${at}` }]))),
    );
  await writeSome('before');
  await sleep(600);
  proxy.silence();
  // The first to ask finds out.
  expect((await station.get()).status).toBe(503);
  expect(await writeSome('after')).toEqual(Array(6).fill({ acknowledged: expect.any(String) }));
});

it('loses nothing when connections go dead in the middle of writes', async () => {
  await using cluster = await Cluster.start(postgres, 2);
  const load = await StationLoad.start(cluster, { writers: 6 });
  await load.untilAcknowledged(20);
  for (const { proxy } of cluster.nodes) {
    proxy.silence();
    await load.untilAcknowledged(40);
  }
  await load.finish();
  expect(load.history.epochs).toHaveLength(1);
});
