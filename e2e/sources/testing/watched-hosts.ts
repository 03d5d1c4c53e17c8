import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningServer, startServer } from '../../testing/start-server.ts';
import { Station, stationPath } from '../../testing/station.ts';
import { temporaryDirectory } from '../../testing/temporary-directory.ts';
import { Exporter } from './exporter.ts';
import { freePort, MonitoringProgram } from './monitoring-program.ts';

const hosts = ['vm-1', 'vm-2', 'vm-3', 'vm-4'];

const rules = {
  groups: [
    {
      name: 'hosts',
      rules: [
        { alert: 'HostDown', expr: 'host_up == 0', labels: { severity: 'page' } },
        { alert: 'HostHot', expr: 'host_celsius > 80', for: '4s', labels: { severity: 'ticket' } },
        { record: 'host:celsius:max', expr: 'max without (instance) (host_celsius)' },
        { alert: 'HostVeryHot', expr: 'host:celsius:max > 200' },
        { alert: 'Watchdog', expr: 'vector(1)' },
      ],
    },
  ],
};

/** A file with alerting rules for hosts. */
export function hostRules(): string {
  const file = join(temporaryDirectory(), 'rules.json');
  writeFileSync(file, JSON.stringify(rules));
  return file;
}

export interface WatchedHosts {
  readonly exporter: Exporter;
  readonly prometheus: MonitoringProgram;
  readonly alertmanager: MonitoringProgram;
  readonly server: RunningServer;
  readonly station: Station;
  /** What the server was started with. */
  readonly environment: Record<string, string>;
}

interface Watching {
  readonly interval?: string;
  /** Alertmanager sends to the webhook, and is not polled. */
  readonly isPushed?: boolean;
  /** Of Prometheus. */
  readonly resendDelay?: string;
}

/** An exporter of some hosts, a Prometheus and an Alertmanager that watch them, and a Roster that watches both. */
export async function watchHosts({
  interval = '1s',
  isPushed = false,
  resendDelay,
}: Watching = {}): Promise<WatchedHosts> {
  const port = await freePort();
  const exporter = await Exporter.start();
  for (const host of hosts) {
    exporter.set(`host_up{host="${host}"}`, 1);
    exporter.set(`host_celsius{host="${host}"}`, 40);
  }
  const alertmanager = await MonitoringProgram.alertmanager({
    route: { receiver: 'roster', group_wait: '0s', group_interval: '1s', repeat_interval: '3s' },
    receivers: [{ name: 'roster', ...(isPushed ? { webhook_configs: [{ url: webhookAt(port) }] } : {}) }],
    inhibit_rules: [
      {
        source_matchers: ['alertname = HostDown'],
        target_matchers: ['alertname = HostHot'],
        equal: ['host'],
      },
    ],
  });
  const prometheus = await MonitoringProgram.prometheus(
    {
      global: {
        scrape_interval: '500ms',
        evaluation_interval: '500ms',
        external_labels: { cluster: 'east' },
      },
      rule_files: [hostRules()],
      alerting: { alertmanagers: [{ static_configs: [{ targets: [new URL(alertmanager.url).host] }] }] },
      scrape_configs: [{ job_name: 'hosts', static_configs: [{ targets: [exporter.address] }] }],
    },
    resendDelay,
  );
  const sources = [
    {
      name: 'prom',
      prometheus: { url: prometheus.url, interval, timeout: '2s' },
      stations: [stationPath('station').slice(1)],
      tie: [{ label: 'host', to: 'name' }],
    },
    ...(isPushed ? [] : [{ name: 'am', alertmanager: { url: alertmanager.url, interval, timeout: '2s' } }]),
  ];
  const environment = {
    ROSTER_SOURCES: JSON.stringify(sources),
    ...(isPushed ? { ROSTER_PORT: String(port) } : {}),
  };
  const server = await startServer({ environment });
  const station = await Station.create(server);
  await station.write(
    hosts.map((host) => ({ resource_id: `id-${host}`, name: host, state: 'ALERTSTATE_FIRING' })),
  );
  return { exporter, prometheus, alertmanager, server, station, environment };
}

function webhookAt(port: number): string {
  return `http://127.0.0.1:${port}/roster/v1${stationPath('station')}/alertmanager`;
}

interface PrometheusAlert {
  readonly labels: Readonly<Record<string, string>>;
  readonly state: 'firing' | 'pending';
}

interface AlertmanagerAlert {
  readonly labels: Readonly<Record<string, string>>;
  readonly status: { readonly state: string };
}

/** The state of each host as Prometheus and Alertmanager have it, worked out in the plainest way. */
export async function statesInMonitoring(watched: WatchedHosts): Promise<Record<string, string>> {
  const { data } = await watched.prometheus.get<{ data: { alerts: PrometheusAlert[] } }>('/api/v1/alerts');
  const managed = await watched.alertmanager.get<AlertmanagerAlert[]>('/api/v2/alerts');
  const isSuppressed = ({ labels }: PrometheusAlert) =>
    managed.some(
      (alert) =>
        alert.status.state === 'suppressed' &&
        alert.labels.alertname === labels.alertname &&
        alert.labels.host === labels.host,
    );
  const states: Record<string, string> = {};
  for (const host of hosts) {
    const own = data.alerts.filter(({ labels }) => labels.host === host);
    const firing = own.filter(({ state }) => state === 'firing');
    if (firing.some((alert) => !isSuppressed(alert))) states[host] = 'ALERTSTATE_FIRING';
    else if (own.some(({ state }) => state === 'pending')) states[host] = 'ALERTSTATE_PENDING';
    else states[host] = firing.length > 0 ? 'ALERTSTATE_SUPPRESSED' : 'ALERTSTATE_INACTIVE';
  }
  return states;
}

export async function statesInList({
  station,
}: Pick<WatchedHosts, 'station'>): Promise<Record<string, string>> {
  const { resources } = await station.list();
  return Object.fromEntries(resources.map(({ name, state }) => [name, state]));
}
