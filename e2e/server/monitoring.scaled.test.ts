import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PostgresServer } from '@roster/store/postgres-server';
import { expect, it, onTestFinished } from 'vitest';
import { longOnly, shortOnly } from '../../testing/scale.ts';
import { type RunningServer, startServer } from '../testing/start-server.ts';
import { Station } from '../testing/station.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { Prometheus, prometheusNote, promtool, withPrometheus } from './testing/prometheus.ts';

const file = (name: string) => fileURLToPath(new URL(`../../docs/monitoring/${name}`, import.meta.url));
const text = (name: string) => readFileSync(file(name), 'utf8');

/** A name of the API may not have control characters; everything else can be in it. */
const hostileName = `"} 1 \\n\\\\ {{ 1 }} '<b>' 日本語,zone:z`;

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly targets?: readonly { readonly expr: string }[];
}

const panels = (JSON.parse(text('grafana-dashboard.json')) as { panels: Panel[] }).panels;
const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

async function metricsOf(server: RunningServer): Promise<string> {
  return (await server.fetch('/metrics')).text();
}

shortOnly(withPrometheus)(`has metrics that promtool finds no fault with${prometheusNote}`, async () => {
  const server = await startServer({ environment: { ROSTER_SAMPLE: 'true' } });
  const station = await Station.create(server, encodeURIComponent(hostileName));
  await station.write([{ resource_id: 'a' }]);
  await station.list();
  const metrics = await metricsOf(server);
  expect(metrics).toContain('roster_resources_without_rules{');
  expect(promtool(['check', 'metrics'], metrics)).toBe('');
});

shortOnly(withPrometheus)(`has alerts that promtool has tried, each of them${prometheusNote}`, () => {
  promtool(['check', 'rules', file('roster-rules.yaml')]);
  promtool(['test', 'rules', file('roster-rules.test.yaml')]);
  const alerts = [...text('roster-rules.yaml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name!);
  const tried = [...text('roster-rules.test.yaml').matchAll(/alertname: (\w+)/g)].map(([, name]) => name);
  expect(alerts.length).toBeGreaterThan(10);
  expect(alerts.filter((name) => !tried.includes(name))).toEqual([]);
});

shortOnly(withPrometheus)(`has a dashboard whose queries Prometheus can read${prometheusNote}`, () => {
  const rules = queries.map((expr, at) => ({ record: `query_${at}`, expr: withoutVariables(expr) }));
  const rulesFile = join(temporaryDirectory(), 'queries.json');
  writeFileSync(rulesFile, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
  expect(promtool(['check', 'rules', rulesFile])).toContain(`${queries.length} rules found`);
});

function withoutVariables(expr: string): string {
  return expr.replaceAll('$__rate_interval', '5m').replaceAll(/"\$\w+"/g, '".*"');
}

shortOnly(it)('asks in rules and dashboard for nothing that the server does not tell', async () => {
  const server = await startServer();
  const told = new Set([...(await metricsOf(server)).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
  const asked = [...queries, text('roster-rules.yaml')].join('\n').replaceAll(/station:\w+:max/g, '');
  const names = asked.match(/\b(roster|nodejs|process)_[a-z0-9_]+/g)!;
  const missing = names.filter((name) => !told.has(name.replace(/_(bucket|count|sum)$/, '')));
  expect(missing.filter((name) => !told.has(name))).toEqual([]);
});

shortOnly(it)(
  'has a dashboard without holes: every panel has a title, a place of its own and queries',
  () => {
    const places = panels.map((panel) => JSON.stringify((panel as unknown as { gridPos: object }).gridPos));
    expect(new Set(places).size).toBe(panels.length);
    for (const { title, type, targets = [] } of panels) {
      expect(title).not.toBe('');
      expect([title, targets.length > 0]).toEqual([title, type !== 'row']);
    }
  },
);

longOnly(withPrometheus)(
  `lets Prometheus find the resources that no rule covers${prometheusNote}`,
  { timeout: 180_000 },
  async () => {
    const environment = { ROSTER_METRICS_PORT: '0' };
    const server = await startServer({ environment });
    const target = new URL(/Metrics\s+(\S+)/.exec(server.process.stdout)![1]!).host;
    const station = await Station.create(server, encodeURIComponent(hostileName));
    await station.write([
      { resource_id: 'a', alertable: true, alert_rules_count: 0 },
      { resource_id: 'b', alertable: true, alert_rules_count: 0, state: 'ALERTSTATE_FIRING' },
      { resource_id: 'c', alertable: true, alert_rules_count: 2 },
      { resource_id: 'd', alertable: false, alert_rules_count: 0 },
    ]);
    const prometheus = await Prometheus.start({
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [file('roster-rules.yaml')],
      scrape_configs: [{ job_name: 'roster', static_configs: [{ targets: [target] }] }],
    });
    const uncovered = () => prometheus.query('station:roster_resources_without_rules:max');
    await expect.poll(async () => (await uncovered()).length, { timeout: 120_000 }).toBe(1);
    const [{ metric, value }] = (await uncovered()) as [Awaited<ReturnType<typeof uncovered>>[0]];
    expect([metric.station, metric.job, value[1]]).toEqual([hostileName, 'roster', '2']);
    const firing = await prometheus.query('sum(roster_resources{state="ALERTSTATE_FIRING"})');
    expect(firing[0]!.value[1]).toBe('1');
    for (const query of queries) await prometheus.query(withoutVariables(query));
    expect((await prometheus.query(withoutVariables(queries[0]!)))[0]!.value[1]).toBe('1');
  },
);

longOnly(it)('answers without the inventory, and says so, while the database is away', async () => {
  const postgres = await PostgresServer.start();
  onTestFinished(() => postgres[Symbol.asyncDispose]());
  const url = (await postgres.createDatabase()).replace('roster@', 'roster:secret@');
  const server = await startServer({ environment: { ROSTER_DATA: '', ROSTER_DATABASE_URL: url } });
  const station = await Station.create(server);
  await station.write([{ resource_id: 'a' }]);
  await station.list();
  const before = await metricsOf(server);
  expect(before).toContain('\nroster_inventory_up 1\n');
  expect(before).toContain('\nroster_index_revision_lag 0\n');
  expect(before).toMatch(/roster_store_operation_duration_seconds_count\{operation="head"\} [1-9]/);
  await postgres.stop();
  // What was read a moment ago is still told.
  await expect.poll(() => metricsOf(server), { timeout: 60_000 }).toContain('\nroster_inventory_up 0\n');
  const without = await metricsOf(server);
  expect(without).not.toMatch(/^roster_(resources|stations|index_revision_lag)\b/m);
  expect(without).toMatch(/roster_store_failures_total\{operation="\w+"\} [1-9]/);
  await postgres.start();
  await expect.poll(() => metricsOf(server), { timeout: 60_000 }).toContain('\nroster_inventory_up 1\n');
});
