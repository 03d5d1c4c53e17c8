import { FaultProxy } from '@roster/store/fault-proxy';
import { PostgresServer } from '@roster/store/postgres-server';
import { expect, it, onTestFinished } from 'vitest';
import { Station } from '../testing/station.ts';
import { Cluster } from './testing/cluster.ts';
import { StationLoad } from './testing/station-load.ts';

interface Pair {
  readonly primary: PostgresServer;
  readonly standby: PostgresServer;
  /** Between the two. */
  readonly replication: FaultProxy;
}

const numberOf = (revision: string) => Number(revision.split('.')[1]);

async function startPair(): Promise<Pair> {
  const primary = await PostgresServer.start();
  onTestFinished(() => primary[Symbol.asyncDispose]());
  const replication = await FaultProxy.start(primary.port);
  onTestFinished(() => replication[Symbol.asyncDispose]());
  await primary.stop();
  const standby = await primary.copyAsStandby(replication.port);
  onTestFinished(() => standby[Symbol.asyncDispose]());
  await primary.start();
  await standby.start();
  const isFollowing = async () => (await primary.query('SELECT state FROM pg_stat_replication'))[0]?.state;
  await expect.poll(isFollowing, { timeout: 60_000 }).toBe('streaming');
  return { primary, standby, replication };
}

/**
 * As a cluster manager does it: the primary is gone, the standby takes over, and connections are led to it. Returns
 * the last revision of the station that the standby has.
 */
async function failOver({ primary, standby }: Pair, cluster: Cluster): Promise<number> {
  await primary.stop('SIGKILL');
  await standby.query('SELECT pg_promote()');
  const [station] = await standby.query('SELECT revision FROM stations', standby.url('roster_1'));
  for (const { proxy } of cluster.nodes) {
    proxy.targetPort = standby.port;
    proxy.cut();
  }
  return Number(station!.revision);
}

async function expectExpired(cluster: Cluster, path: string, revision: string): Promise<void> {
  for (const { server } of cluster.nodes) {
    const station = new Station(server, path);
    expect((await station.get('?page.size=1', { 'Roster-Revision': revision })).status).toBe(410);
    expect((await station.ask('/changes/stream', { 'Last-Event-ID': revision })).status).toBe(410);
  }
}

it('tells what a standby that lagged behind has lost when it takes over', async () => {
  const pair = await startPair();
  await using cluster = await Cluster.start(pair.primary, 2);
  const load = await StationLoad.start(cluster, { removes: false });
  await load.untilAcknowledged(20);
  pair.replication.silence();
  pair.replication.isSilent = true;
  await load.untilAcknowledged(20);
  const { revision: lost } = await new Station(cluster.nodes[1]!.server, load.path).list();
  const kept = await failOver(pair, cluster);
  expect(numberOf(lost)).toBeGreaterThan(kept);
  await load.untilAcknowledged(20);
  await expectExpired(cluster, load.path, lost);
  await load.finish(kept);
  expect(load.history.epochs).toHaveLength(2);
  expect(load.listeners.map(({ expirations }) => expirations)).not.toContain(0);
});

it('loses nothing when a synchronous standby takes over', async () => {
  const pair = await startPair();
  await pair.primary.query("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
  await pair.primary.query('SELECT pg_reload_conf()');
  await using cluster = await Cluster.start(pair.primary, 2);
  const load = await StationLoad.start(cluster, { removes: false });
  await load.untilAcknowledged(40);
  await failOver(pair, cluster);
  await load.untilAcknowledged(40);
  await load.finish();
  expect(load.history.epochs).toHaveLength(2);
});

it('tells what is gone when an old backup is restored', async () => {
  await using postgres = await PostgresServer.start();
  await using cluster = await Cluster.start(postgres, 2);
  const load = await StationLoad.start(cluster, { removes: false });
  await load.untilAcknowledged(20);
  await postgres.stop();
  const backup = postgres.backUp();
  const backedUpMs = Date.now();
  await postgres.start();
  // The writers go on at once.
  const [kept] = await postgres.query(
    `SELECT max(revision) AS revision FROM revisions WHERE committed_ms < ${backedUpMs}`,
    postgres.url('roster_1'),
  );
  await load.untilAcknowledged(20);
  const { revision: lost } = await new Station(cluster.nodes[1]!.server, load.path).list();
  await postgres.stop('SIGKILL');
  postgres.restore(backup);
  await postgres.start();
  await load.untilAcknowledged(20);
  await expectExpired(cluster, load.path, lost);
  await load.finish(Number(kept!.revision));
  expect(load.history.epochs).toHaveLength(2);
});
