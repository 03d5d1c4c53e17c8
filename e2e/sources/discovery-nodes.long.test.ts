import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { RunningServer } from '../testing/start-server.ts';
import { Station, stationPath } from '../testing/station.ts';
import { Exporter } from './testing/exporter.ts';
import { MonitoringProgram, monitoringNote, withMonitoring } from './testing/monitoring-program.ts';
import { isPolling, startNodes } from './testing/polling-nodes.ts';
import { ScrapedHosts } from './testing/scraped-hosts.ts';

const inTime = { timeout: 60_000, interval: 100 };
const graceMs = 40_000;

async function missingOn(node: RunningServer): Promise<number> {
  const response = await node.fetch('/roster/v1/sources');
  const { sources } = (await response.json()) as { sources: { discovery: { missing: number } }[] };
  return sources[0]!.discovery.missing;
}

withMonitoring(
  `a node that takes over goes on with the grace period, without the time that nobody asked${monitoringNote}`,
  async () => {
    const exporter = await Exporter.start();
    const hosts = new ScrapedHosts(exporter.address);
    hosts.set('vm-1', 'vm-2', 'vm-3', 'vm-4');
    const prometheus = await MonitoringProgram.prometheus({
      global: { scrape_interval: '500ms' },
      scrape_configs: [hosts.job],
    });
    const [first, second] = await startNodes({
      name: 'prom',
      prometheus: { url: prometheus.url, interval: '1s', timeout: '2s' },
      stations: [stationPath('station').slice(1)],
      tie: [{ label: 'host', to: 'name' }],
      discovery: { jobs: { node: 'resource_type.compute.vm' }, name: 'host', grace: `${graceMs / 1000}s` },
    });
    const station = await Station.create(second);
    const namesOn = async (node: RunningServer) =>
      (await new Station(node, station.path).list()).resources.map(({ name }) => name).join();
    await expect.poll(() => namesOn(second), inTime).toBe('vm-1,vm-2,vm-3,vm-4');

    const missingFrom = performance.now();
    hosts.set('vm-1', 'vm-2');
    await expect.poll(() => missingOn(second), inTime).toBe(2);
    await sleep(graceMs / 2);
    // The first may have stalled for so long that the second has taken over already.
    const [polling, waiting] = (await isPolling(second)) ? [second, first] : [first, second];
    const names = () => namesOn(waiting);
    await polling.process.kill();
    const countedMs = performance.now() - missingFrom;
    // One of the two is back while nobody asks.
    hosts.set('vm-1', 'vm-2', 'vm-3');
    let askedFrom = performance.now();
    const hasTakenOver = async () => {
      const before = performance.now();
      const isOver = await isPolling(waiting);
      if (!isOver) askedFrom = before;
      return isOver;
    };
    await expect.poll(hasTakenOver, inTime).toBe(true);
    await expect.poll(() => missingOn(waiting), inTime).toBe(1);
    expect(await names()).toBe('vm-1,vm-2,vm-3,vm-4');
    await expect.poll(names, inTime).toBe('vm-1,vm-2,vm-3');
    const tookMs = performance.now() - askedFrom;
    // Of the time that nobody asked, two intervals count. Anew it would take the whole period.
    expect(tookMs).toBeGreaterThan(graceMs - countedMs - 3_000);
    expect(tookMs).toBeLessThan(graceMs - 2_000);
    await sleep(3_000);
    expect(await names()).toBe('vm-1,vm-2,vm-3');
  },
);
