import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const station = 'subscriptions/demo/resourceGroups/live/zones/zone-1/telemetryStations/hosts';
const hosts = Array.from({ length: 60 }, (_, at) => `host-${String(at + 1).padStart(2, '0')}`);
const changeEveryMs = 3_000;
const installNote =
  'npm run demo needs Prometheus and Alertmanager: apt-get install prometheus prometheus-alertmanager';

const rules = [
  { alert: 'HostDown', expr: 'demo_up == 0', for: '5s', labels: { severity: 'page' } },
  { alert: 'HostHot', expr: 'demo_celsius > 80', for: '10s', labels: { severity: 'ticket' } },
  { alert: 'DiskFull', expr: 'demo_disk_used_ratio > 0.95', labels: { severity: 'ticket' } },
];

const directory = mkdtempSync(path.join(os.tmpdir(), 'roster-demo-'));
const children: ChildProcess[] = [];

function run(command: string, words: readonly string[]): void {
  children.push(spawn(command, words, { stdio: 'ignore' }));
}

/** Resolves to the address of the server once it listens. */
async function runRoster(environment: NodeJS.ProcessEnv): Promise<string> {
  const program = fileURLToPath(new URL('../packages/server/bin/roster-server.js', import.meta.url));
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'], env });
  children.push(child);
  child.once('exit', () => process.exit(1));
  for await (const chunk of child.stdout!) {
    process.stdout.write(chunk);
    const url = /is listening on (\S+)/.exec(String(chunk))?.[1];
    if (url !== undefined) return url;
  }
  throw new Error('the server ended instead of starting');
}

function write(name: string, value: object): string {
  const file = path.join(directory, name);
  writeFileSync(file, JSON.stringify(value));
  return file;
}

async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** An exporter whose hosts go down, get hot and fill their disks now and then. */
async function startExporter(): Promise<string> {
  const values = new Map(hosts.map((host) => [host, { up: 1, celsius: 45, disk: 0.6 }]));
  setInterval(() => {
    const host = values.get(hosts[Math.floor(Math.random() * hosts.length)]!)!;
    const isWell = host.up === 1 && host.celsius < 80 && host.disk < 0.9;
    Object.assign(host, { up: 1, celsius: 45, disk: 0.6 });
    if (isWell)
      Object.assign(host, [{ up: 0 }, { celsius: 95 }, { disk: 0.97 }][Math.floor(Math.random() * 3)]);
  }, changeEveryMs);
  const server = http.createServer((_, response) => {
    for (const [host, { up, celsius, disk }] of values) {
      const labels = `{host="${host}"}`;
      response.write(
        `demo_up${labels} ${up}\ndemo_celsius${labels} ${celsius}\ndemo_disk_used_ratio${labels} ${disk}\n`,
      );
    }
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function stop(): void {
  for (const child of children) child.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/** Starts an exporter, Prometheus, Alertmanager and a Roster that shows what they say. Nothing of it is kept. */
async function demo(): Promise<void> {
  const exporter = await startExporter();
  const [prometheus, alertmanager] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
  const receivers = [{ name: 'nobody' }];
  run('prometheus-alertmanager', [
    `--config.file=${write('alertmanager.yml', { route: { receiver: 'nobody' }, receivers })}`,
    `--storage.path=${path.join(directory, 'alertmanager')}`,
    `--web.listen-address=${alertmanager}`,
    '--cluster.listen-address=',
  ]);
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [write('rules.yml', { groups: [{ name: 'demo', rules }] })],
    alerting: { alertmanagers: [{ static_configs: [{ targets: [alertmanager] }] }] },
    scrape_configs: [{ job_name: 'hosts', static_configs: [{ targets: [exporter] }] }],
  };
  run('prometheus', [
    `--config.file=${write('prometheus.yml', config)}`,
    `--storage.tsdb.path=${path.join(directory, 'prometheus')}`,
    `--web.listen-address=${prometheus}`,
  ]);
  const sources = [
    {
      name: 'prometheus',
      prometheus: { url: `http://${prometheus}`, interval: '2s' },
      stations: [station],
      tie: [{ label: 'host', to: 'name' }],
    },
    { name: 'alertmanager', alertmanager: { url: `http://${alertmanager}`, interval: '2s' } },
  ];
  const url = await runRoster({
    ROSTER_DATA: path.join(directory, 'data'),
    ROSTER_HOST: '127.0.0.1',
    ROSTER_AUTH: 'off',
    ROSTER_LOG_LEVEL: 'warn',
    ROSTER_AUDIT_FILE: '/dev/null',
    ROSTER_SOURCES: JSON.stringify(sources),
  });
  await fill(`${url}/roster/v1/${station}`);
  process.stdout.write(`  Silence  http://${alertmanager}/\n  Rules    http://${prometheus}/alerts\n`);
  process.stdout.write('\n  A host changes every few seconds. Ctrl+C ends everything.\n\n');
}

async function fill(url: string): Promise<void> {
  await fetch(url, { method: 'PUT' });
  const records = hosts.map((name) => ({
    resource_id: name,
    name,
    resource_type: 'resource_type.compute.vm',
  }));
  const headers = { 'Content-Type': 'application/json' };
  const written = await fetch(`${url}/resources`, { method: 'POST', headers, body: JSON.stringify(records) });
  if (!written.ok) throw new Error(`the hosts could not be written: ${await written.text()}`);
}

const isInstalled = ['prometheus', 'prometheus-alertmanager'].every(
  (command) => spawnSync(command, ['--version']).status === 0,
);
if (!isInstalled) {
  process.stderr.write(`${installNote}\n`);
  process.exit(1);
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0));
process.once('exit', stop);
await demo();
