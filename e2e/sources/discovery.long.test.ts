import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { startServer } from '../testing/start-server.ts';
import { Station, stationPath } from '../testing/station.ts';
import { Exporter } from './testing/exporter.ts';
import { MonitoringProgram, monitoringNote, withMonitoring } from './testing/monitoring-program.ts';
import { ScrapedHosts } from './testing/scraped-hosts.ts';

const inTime = { timeout: 60_000, interval: 200 };

withMonitoring(`makes and retires resources as Prometheus finds targets${monitoringNote}`, async () => {
  const exporter = await Exporter.start();
  const hosts = new ScrapedHosts(exporter.address);
  hosts.set('vm-1', 'vm-2', 'vm-3');
  const prometheus = await MonitoringProgram.prometheus({
    global: { scrape_interval: '500ms', evaluation_interval: '500ms' },
    scrape_configs: [hosts.job, { job_name: 'other', static_configs: [{ targets: [exporter.address] }] }],
  });
  const source = {
    name: 'prom',
    prometheus: { url: prometheus.url, interval: '1s', timeout: '2s' },
    stations: [stationPath('station').slice(1)],
    tie: [{ label: 'host', to: 'name' }],
    discovery: {
      jobs: { node: 'resource_type.compute.vm' },
      name: 'host',
      labels: { rack: 'rack' },
      grace: '3s',
    },
  };
  const server = await startServer({ environment: { ROSTER_SOURCES: JSON.stringify([source]) } });
  const station = await Station.create(server);
  const names = async () => (await station.list()).resources.map(({ name }) => name).join();
  const targetsInPrometheus = async () => {
    const { data } = await prometheus.get<{ data: { activeTargets: { labels: Record<string, string> }[] } }>(
      '/api/v1/targets?state=active',
    );
    const found = data.activeTargets.flatMap(({ labels }) => labels.host ?? []);
    return found.sort().join();
  };
  await expect.poll(names, inTime).toBe('vm-1,vm-2,vm-3');
  const discovery = async () => {
    const response = await server.fetch('/roster/v1/sources');
    const { sources } = (await response.json()) as { sources: { discovery: object }[] };
    return sources[0]!.discovery;
  };
  const found = { targets: 4, unmapped_jobs: [{ job: 'other', targets: 1 }] };
  await expect.poll(discovery, inTime).toMatchObject(found);

  hosts.set('vm-1', 'vm-2', 'vm-4');
  await expect.poll(names, inTime).toBe('vm-1,vm-2,vm-4');
  expect(await targetsInPrometheus()).toBe('vm-1,vm-2,vm-4');

  await prometheus.kill();
  await sleep(5_000);
  expect(await names()).toBe('vm-1,vm-2,vm-4');
  hosts.set('vm-1', 'vm-4');
  await prometheus.start();
  await expect.poll(names, inTime).toBe('vm-1,vm-4');
  expect(await targetsInPrometheus()).toBe('vm-1,vm-4');
});
