import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresServer } from '@roster/store/postgres-server';
import type { SeededRandom } from '../../../testing/seeded-random.ts';
import type { Cluster, ClusterNode } from './cluster.ts';

interface Scene {
  readonly node: ClusterNode;
  readonly postgres: PostgresServer;
  readonly random: SeededRandom;
}

/** Each leaves nothing broken behind. */
const faults: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  async 'cut connections'({ node, random }) {
    node.proxy.cut(() => random.next() < 0.7);
  },
  async 'cut connections again and again'({ node, random }) {
    for (let cut = 0; cut < 10; cut++) {
      node.proxy.cut(() => random.next() < 0.3);
      await sleep(random.below(100));
    }
  },
  async 'delayed answers'({ node, random }) {
    node.proxy.delayMs = 1 + random.below(300);
    await sleep(1_000);
    node.proxy.heal();
  },
  async 'half-open connections'({ node, random }) {
    node.proxy.silence();
    node.proxy.isSilent = random.next() < 0.5;
    await sleep(200 + random.below(3_000));
    node.proxy.heal();
  },
  async 'refused connections'({ node, random }) {
    node.proxy.isRefusing = true;
    node.proxy.cut();
    await sleep(200 + random.below(1_500));
    node.proxy.heal();
  },
  async 'ended sessions'({ postgres }) {
    await postgres.cutConnections('random() < 0.5');
  },
  async 'dropped LISTEN'({ postgres }) {
    for (let drop = 0; drop < 10; drop++) {
      await postgres.cutConnections("query LIKE '%LISTEN%' OR query LIKE '%pg_notify%'");
      await sleep(50);
    }
  },
  async 'paused node'({ node, random }) {
    node.server.process.signal('SIGSTOP');
    await sleep(200 + random.below(2_000));
    node.server.process.signal('SIGCONT');
  },
  async 'killed node'({ node }) {
    await node.server.process.kill();
    await node.start();
  },
  async 'restarted node'({ node }) {
    await node.server.process.stop();
    await node.start();
  },
  async 'killed PostgreSQL'({ postgres }) {
    await postgres.stop('SIGKILL');
    await postgres.start();
  },
  async 'restarted PostgreSQL'({ postgres }) {
    await postgres.stop();
    await postgres.start();
  },
};

/** Lets one fault after another happen, until the time is over; returns how often each did. */
export async function runFaults(
  cluster: Cluster,
  { postgres, random, untilMs }: { postgres: PostgresServer; random: SeededRandom; untilMs: number },
): Promise<Record<string, number>> {
  const happened: Record<string, number> = {};
  while (performance.now() < untilMs) {
    const name = random.pick(Object.keys(faults));
    happened[name] = (happened[name] ?? 0) + 1;
    await faults[name]!({ node: random.pick(cluster.nodes), postgres, random });
    await sleep(random.below(1_000));
  }
  return happened;
}
