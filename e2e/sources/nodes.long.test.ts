import { expect } from 'vitest';
import type { RunningServer } from '../testing/start-server.ts';
import { Station, stationPath } from '../testing/station.ts';
import { Exporter } from './testing/exporter.ts';
import { MonitoringProgram, monitoringNote, withMonitoring } from './testing/monitoring-program.ts';
import { isPolling, startNodes } from './testing/polling-nodes.ts';
import { hostRules } from './testing/watched-hosts.ts';

const sourceAt = (url: string) => ({
  name: 'prom',
  prometheus: { url, interval: '1s' },
  stations: [stationPath('station').slice(1)],
  tie: [{ label: 'host', to: 'name' }],
});

withMonitoring(`one node polls, and another takes over soon${monitoringNote}`, async () => {
  const exporter = await Exporter.start();
  exporter.set('host_up{host="vm-1"}', 1);
  const prometheus = await MonitoringProgram.prometheus({
    global: { scrape_interval: '500ms', evaluation_interval: '500ms' },
    rule_files: [hostRules()],
    scrape_configs: [{ job_name: 'hosts', static_configs: [{ targets: [exporter.address] }] }],
  });
  const [first, second] = await startNodes(sourceAt(prometheus.url));
  const station = await Station.create(second);
  await station.write([{ resource_id: 'id-vm-1', name: 'vm-1' }]);
  const stateOn = async (node: RunningServer) =>
    (await new Station(node, station.path).list()).resources[0]!.state;
  const alertsOn = async (node: RunningServer) => {
    const response = await node.fetch(`/roster/v1${station.path}/resources/id-vm-1/alerts`);
    return ((await response.json()) as { alerts: { labels: { alertname: string } }[] }).alerts;
  };
  exporter.set('host_up{host="vm-1"}', 0);
  await expect.poll(() => stateOn(second), { timeout: 60_000 }).toBe('ALERTSTATE_FIRING');
  await expect.poll(async () => (await alertsOn(second)).length, { timeout: 60_000 }).toBe(1);
  expect([await isPolling(first), await isPolling(second)]).toEqual([true, false]);

  await first.process.kill();
  // About 11 s, and more if the machine stalls.
  await expect.poll(() => isPolling(second), { timeout: 30_000, interval: 100 }).toBe(true);
  exporter.set('host_up{host="vm-1"}', 1);
  await expect.poll(() => stateOn(second), { timeout: 60_000 }).toBe('ALERTSTATE_INACTIVE');
});

withMonitoring(`a webhook shows at once on whichever node it comes in${monitoringNote}`, async () => {
  const prometheus = await MonitoringProgram.prometheus({ global: { scrape_interval: '1s' } });
  const [first, second] = await startNodes(sourceAt(prometheus.url));
  const station = await Station.create(second);
  await station.write([{ resource_id: 'id-vm-1', name: 'vm-1' }]);
  // Between two polls of Prometheus, which knows nothing of it.
  await prometheus.kill();
  const notification = {
    alerts: [
      {
        status: 'firing',
        labels: { alertname: 'Down', host: 'vm-1' },
        annotations: {},
        startsAt: new Date().toISOString(),
        endsAt: '0001-01-01T00:00:00Z',
        fingerprint: 'f1',
      },
    ],
  };
  const headers = { 'Content-Type': 'application/json' };
  const sentAt = performance.now();
  const sent = await second.fetch(`/roster/v1${station.path}/alertmanager`, {
    method: 'POST',
    headers,
    body: JSON.stringify(notification),
  });
  expect(sent.status).toBe(200);
  const stateOn = async (node: RunningServer) =>
    (await new Station(node, station.path).list()).resources[0]!.state;
  await expect.poll(() => stateOn(second), { timeout: 60_000, interval: 20 }).toBe('ALERTSTATE_FIRING');
  expect(performance.now() - sentAt).toBeLessThan(5_000);
  expect(await stateOn(first)).toBe('ALERTSTATE_FIRING');
});
