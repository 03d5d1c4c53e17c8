import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { StationAddress } from '@roster/contract';
import { createSqliteStore } from '@roster/store';
import { Registry } from 'prom-client';
import { expect, it, onTestFinished } from 'vitest';
import { record, TestServer } from '../testing/test-server.ts';
import { registerInventoryMetrics } from './inventory-metrics.ts';
import { renderMetrics } from './scraped-gauge.ts';

async function start(environment: Record<string, string> = {}): Promise<TestServer> {
  const server = await TestServer.start(environment);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

async function scrape({ metricsUrl }: TestServer): Promise<Map<string, number>> {
  const response = await fetch(metricsUrl);
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  return parse(await response.text());
}

/** Values by series. */
function parse(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.replace(/ \S+$/, ''), Number(/\S+$/.exec(line)![0])]));
}

const count = (operation: string, method: string, status: string) =>
  `roster_http_request_duration_seconds_count{operation="${operation}",method="${method}",status="${status}"}`;

it('counts requests by operation, method and class of status, and never by what clients make up', async () => {
  const server = await start();
  await server.createStation();
  await server.write(record('r-1'));
  for (let at = 0; at < 3; at++) await server.list('page.size=1');
  await server.list('page.size=1', { method: 'HEAD' });
  await server.list('page.size=no');
  for (let at = 0; at < 5; at++) await fetch(`${server.url}/nothing/here-${at}`);
  for (const method of ['BREW', 'SPLIT']) await fetch(server.url, { method });
  const series = await scrape(server);
  expect(series.get(count('listResources', 'GET', '2xx'))).toBe(3);
  expect(series.get(count('listResources', 'HEAD', '2xx'))).toBe(1);
  expect(series.get(count('listResources', 'GET', '4xx'))).toBe(1);
  expect(series.get(count('createStation', 'PUT', '2xx'))).toBe(1);
  expect(series.get(count('writeResources', 'POST', '2xx'))).toBe(1);
  expect(series.get(count('other', 'GET', '4xx'))).toBe(5);
  const labels = [...series.keys()].join('\n');
  expect(labels).not.toMatch(/here-|BREW|SPLIT/);
  expect(series.get('roster_http_requests_in_progress')).toBe(1);
});

it('tells the size of an answer as it was sent', async () => {
  const server = await start();
  await server.createStation();
  const answer = await server.list('page.size=0');
  const body = (await answer.arrayBuffer()).byteLength;
  const sum = (await scrape(server)).get(
    'roster_http_response_size_bytes_sum{operation="listResources",method="GET",status="2xx"}',
  )!;
  expect(sum).toBeGreaterThan(body + 100);
  expect(sum).toBeLessThan(body + 1000);
});

it('tells what was imported, and how the store and the index did', async () => {
  const server = await start();
  await server.createStation();
  const text = '[{"resource_type":"resource_type.compute.vm","resource_id":"r-1","name":"n"}]';
  await server.writeText(text, 'application/json');
  await server.list();
  await server.write(record('r-1'), record('r-2'));
  const series = await scrape(server);
  expect(series.get('roster_import_records_total')).toBe(3);
  expect(series.get('roster_import_bytes_total')).toBeGreaterThan(text.length);
  expect(series.get('roster_resource_changes_total{change="created"}')).toBe(2);
  expect(series.get('roster_resource_changes_total{change="updated"}')).toBe(1);
  expect(series.get('roster_store_operation_duration_seconds_count{operation="commitBatch"}')).toBe(2);
  expect(series.get('roster_store_failures_total{operation="commitBatch"}')).toBe(0);
  expect(series.get('roster_freshness_wait_seconds_count')).toBe(1);
  expect(series.get('roster_index_build_duration_seconds_count{from="changes"}')).toBe(1);
  expect(series.get('roster_index_stations')).toBe(1);
  expect(series.get('roster_index_resources')).toBe(2);
  expect(series.get('roster_index_size_bytes')).toBeGreaterThan(0);
  expect(series.get('roster_index_revision_lag')).toBe(0);
  expect(series.get('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
});

it('tells how many watch', async () => {
  const server = await start();
  await server.createStation();
  const leaving = new AbortController();
  await server.manage('/changes/stream', { signal: leaving.signal });
  expect((await scrape(server)).get('roster_watchers')).toBe(1);
  leaving.abort();
  await expect.poll(async () => (await scrape(server)).get('roster_watchers')).toBe(0);
  const series = await scrape(server);
  expect(series.get(count('streamChanges', 'GET', 'aborted'))).toBe(1);
  expect(series.get('roster_watchers_dropped_total')).toBe(0);
});

it('counts requests that are turned away because their sender has sent too many', async () => {
  const server = await start({
    ROSTER_METRICS_PORT: '0',
    ROSTER_LIMITS_REQUESTS_PER_SECOND: '1',
    ROSTER_LIMITS_BURST: '3',
  });
  await server.createStation();
  for (let asked = 0; asked < 5; asked++) await server.list();
  const series = await scrape(server);
  const turnedAway = (reason: string) => `roster_http_requests_turned_away_total{reason="${reason}"}`;
  expect(series.get(turnedAway('rate_limit'))).toBeGreaterThan(0);
  expect(series.get(turnedAway('overload'))).toBe(0);
});

it('shows the inventory of every station without loading any', async () => {
  const server = await start();
  await server.createStation();
  await server.write(
    record('r-1', { state: 'ALERTSTATE_FIRING', alertable: true, alert_rules_count: 2 }),
    record('r-2', { alertable: true, alert_rules_count: 0 }),
    record('r-3', { alertable: false, alert_rules_count: 0 }),
  );
  const series = await scrape(server);
  const station = 'subscription="s",resource_group="g",zone="z",station="t"';
  expect(series.get(`roster_resources{${station},state="ALERTSTATE_FIRING"}`)).toBe(1);
  expect(series.get(`roster_resources{${station},state="ALERTSTATE_INACTIVE"}`)).toBe(2);
  expect(series.get(`roster_resources_alertable{${station}}`)).toBe(2);
  expect(series.get(`roster_resources_without_rules{${station}}`)).toBe(1);
  expect(series.get('roster_stations')).toBe(1);
  expect(series.get('roster_inventory_up')).toBe(1);
  expect(series.get('roster_index_stations')).toBe(0);
});

it('has a port of its own where one is set, and then nothing on the main one', async () => {
  const server = await start({ ROSTER_METRICS_PORT: '0' });
  expect(new URL(server.metricsUrl).port).not.toBe(new URL(server.url).port);
  expect((await scrape(server)).get('roster_stations')).toBe(0);
  expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
  const own = new URL(server.metricsUrl).origin;
  for (const path of ['/', '/healthz', '/roster/v1/stations', '/metrics/']) {
    const response = await fetch(own + path);
    const detail = 'there is nothing at this path; this port has /metrics alone';
    expect([response.status, await response.json()]).toMatchObject([404, { detail }]);
  }
  const post = await fetch(server.metricsUrl, { method: 'POST' });
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  const head = await fetch(server.metricsUrl, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

const hostile = [
  '"} 1\nroster_stations 99\n#',
  'back\\slash',
  '\\',
  'quote"',
  'a,zone:z',
  '日本語 ✓',
  'line\u2028break',
  '{{ $labels.x }}',
];

async function inventoryText(addresses: readonly StationAddress[], maxStations: number): Promise<string> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'roster-metrics-'));
  const store = await createSqliteStore({ directory });
  onTestFinished(async () => {
    await store.close();
    await rm(directory, { recursive: true });
  });
  for (const address of addresses) await store.createStation(address);
  const registry = new Registry();
  registerInventoryMetrics(registry, store, maxStations);
  return renderMetrics(registry);
}

it('keeps every name to its own label, whatever is in it', async () => {
  const addresses = hostile.flatMap((name) => [
    { subscription: 's', resourceGroup: 'g', zone: 'z', name },
    { subscription: name, resourceGroup: name, zone: name, name: 'n' },
  ]);
  const text = await inventoryText(addresses, 100);
  const lines = text.split('\n').filter((line) => line.startsWith('roster_resources_alertable{'));
  expect(lines).toHaveLength(addresses.length);
  expect(new Set(lines.map(readLabels))).toEqual(
    new Set(addresses.map((each) => Object.values(each).join('\0'))),
  );
  expect(parse(text).get('roster_stations')).toBe(addresses.length);
});

/** The four names, read as Prometheus does. */
function readLabels(line: string): string {
  const texts = [...line.matchAll(/="((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text!);
  const unescaped = texts.map((text) => text.replace(/\\(.)/g, (_, mark) => (mark === 'n' ? '\n' : mark)));
  return unescaped.join('\0');
}

it('shows no more stations than it may, and says how many are left out', async () => {
  const addresses = Array.from({ length: 5 }, (_, at) => ({
    subscription: 's',
    resourceGroup: 'g',
    zone: 'z',
    name: `n-${at}`,
  }));
  const series = parse(await inventoryText(addresses, 2));
  expect([...series.keys()].filter((name) => name.startsWith('roster_resources_alertable'))).toHaveLength(2);
  expect(series.get('roster_stations')).toBe(5);
  expect(series.get('roster_inventory_stations_left_out')).toBe(3);
});

it('shows the most frequent states, and the others together', async () => {
  const server = await start();
  await server.createStation();
  const states = Array.from({ length: 25 }, (_, at) => `ALERTSTATE_X${String(at).padStart(2, '0')}`);
  const records = states.map((state, at) => record(`r-${at}`, { state }));
  await server.write(...records, record('more', { state: 'ALERTSTATE_X24' }));
  const series = [...(await scrape(server))].filter(([name]) => name.startsWith('roster_resources{'));
  expect(series).toHaveLength(20);
  expect(series.reduce((sum, [, value]) => sum + value, 0)).toBe(26);
  const shown = Object.fromEntries(series.map(([name, value]) => [/state="(\w+)"/.exec(name)![1], value]));
  expect(shown).toMatchObject({ ALERTSTATE_X24: 2, ALERTSTATE_X00: 1, other: 6 });
});
