import { PostgresServer } from '@roster/store/postgres-server';
import { expect, it } from 'vitest';
import { seed } from '../../testing/seed.ts';
import { SeededRandom } from '../../testing/seeded-random.ts';
import { Cluster } from './testing/cluster.ts';
import { runFaults } from './testing/random-faults.ts';
import { StationLoad } from './testing/station-load.ts';

const minutes = Number(process.env.ROSTER_FAULT_MINUTES ?? 1);

it(`answers as one through ${minutes} min of faults, three nodes and ten clients, seed ${seed}`, {
  timeout: minutes * 60_000 + 180_000,
}, async () => {
  await using postgres = await PostgresServer.start();
  await using cluster = await Cluster.start(postgres, 3);
  const random = new SeededRandom(seed);
  const load = await StationLoad.start(cluster, { random });
  const untilMs = performance.now() + minutes * 60_000;
  const faults = await Promise.race([runFaults(cluster, { postgres, random, untilMs }), load.work]);
  await load.goOn(2_000);
  const revision = await load.finish();
  const counts = load.history.counts();
  process.stdout.write(`${JSON.stringify({ seed, minutes, revision, faults, ...counts })}\n`);
  expect(load.history.epochs).toHaveLength(1);
  // Without these the run says nothing.
  expect(Math.min(counts.acknowledged, counts.read, counts.heard)).toBeGreaterThan(minutes * 100);
});
