import { writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../servers/find-free-port.ts';
import type { Workspace } from '../../workspace.ts';

const metrics = 20;
const readyAttempts = 300;

export interface GeneratedMonitoring {
  readonly url: string;
  /** Makes the first rules fire for all hosts, and resolves once Prometheus has all alerts. */
  fire(): Promise<void>;
  stop(): Promise<void>;
}

interface Sizes {
  readonly hosts: readonly string[];
  readonly rules: number;
  /** How many of them fire. */
  readonly firingRules: number;
}

/** A real Prometheus with an exporter of many hosts and many alerting rules. */
export async function startMonitoring(workspace: Workspace, sizes: Sizes): Promise<GeneratedMonitoring> {
  const directory = workspace.newDirectory('prometheus');
  let isFiring = false;
  const render = () => {
    const lines: string[] = [];
    for (let metric = 0; metric < metrics; metric++) {
      const value = isFiring && metric < sizes.firingRules ? 1 : 0;
      for (const host of sizes.hosts) lines.push(`m_${metric}{host="${host}"} ${value}`);
    }
    return `${lines.join('\n')}\n`;
  };
  const exporter = http.createServer((_, response) => response.end(render()));
  await new Promise<void>((resolve) => exporter.listen(0, '127.0.0.1', resolve));
  const target = `127.0.0.1:${(exporter.address() as AddressInfo).port}`;
  const rules = Array.from({ length: sizes.rules }, (_, at) => ({
    alert: `Rule${at}`,
    expr: `m_${at % metrics} > ${at < sizes.firingRules ? 0 : at}`,
    labels: { severity: 'page' },
    annotations: {
      summary: '{{ $labels.host }} is over its limit',
      runbook: `https://example.com/runbooks/${at}`,
    },
  }));
  const rulesFile = path.join(directory, 'rules.json');
  writeFileSync(rulesFile, JSON.stringify({ groups: [{ name: 'generated', rules }] }));
  const configFile = path.join(directory, 'prometheus.json');
  writeFileSync(
    configFile,
    JSON.stringify({
      global: { scrape_interval: '5s', evaluation_interval: '5s' },
      rule_files: [rulesFile],
      scrape_configs: [{ job_name: 'hosts', static_configs: [{ targets: [target] }] }],
    }),
  );
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  // As if it ran on another machine: it takes only what nobody else wants.
  const child = workspace.spawn(
    'nice',
    [
      '-n',
      '19',
      'prometheus',
      `--config.file=${configFile}`,
      `--storage.tsdb.path=${path.join(directory, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  const countAlerts = async () => {
    const answered = await fetch(`${url}/api/v1/query?query=count(ALERTS)`).catch(() => undefined);
    if (!answered?.ok) return undefined;
    const { data } = (await answered.json()) as { data: { result: { value: [number, string] }[] } };
    return Number(data.result[0]?.value[1] ?? 0);
  };
  const waitFor = async (count: number) => {
    for (let attempt = 0; attempt < readyAttempts; attempt++) {
      if ((await countAlerts()) === count) return;
      await sleep(200);
    }
    throw new Error(`Prometheus does not have ${count} alerts`);
  };
  await waitFor(0);
  return {
    url,
    async fire() {
      isFiring = true;
      await waitFor(sizes.firingRules * sizes.hosts.length);
    },
    async stop() {
      await workspace.stop(child);
      exporter.closeAllConnections();
      exporter.close();
      workspace.removeDirectory(directory);
    },
  };
}
