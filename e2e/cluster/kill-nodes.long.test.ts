import { PostgresServer } from '@roster/store/postgres-server';
import { expect, it } from 'vitest';
import { Cluster } from './testing/cluster.ts';
import { StationLoad } from './testing/station-load.ts';

const nodeKills = 12;
const serverKills = 6;

it(`keeps what was acknowledged through ${nodeKills} kills of nodes during writes`, async () => {
  await using postgres = await PostgresServer.start();
  await using cluster = await Cluster.start(postgres, 2);
  const load = await StationLoad.start(cluster);
  for (let kill = 0; kill < nodeKills; kill++) {
    await load.untilAcknowledged(5);
    const node = cluster.nodes[kill % 2]!;
    await node.server.process.kill();
    await node.start();
  }
  await load.finish();
  expect(load.history.epochs).toHaveLength(1);
});

it(`keeps what was acknowledged through ${serverKills} kills of PostgreSQL during writes`, async () => {
  await using postgres = await PostgresServer.start();
  await using cluster = await Cluster.start(postgres, 2);
  const load = await StationLoad.start(cluster);
  for (let kill = 0; kill < serverKills; kill++) {
    await load.untilAcknowledged(20);
    await postgres.stop('SIGKILL');
    await postgres.start();
  }
  await load.untilAcknowledged(20);
  await load.finish();
  expect(load.history.epochs).toHaveLength(1);
});
