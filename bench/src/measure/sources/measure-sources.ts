import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LatencySummary, SourcesFinding, StormFinding } from '../../findings.ts';
import { askChild } from '../../servers/ask-child.ts';
import { listPath, rosterStationPath } from '../../servers/contender.ts';
import { readPeakRss, readRss, resetPeakRss } from '../../servers/process-usage.ts';
import { RosterServer } from '../../servers/roster-server.ts';
import type { Workspace } from '../../workspace.ts';
import { createStation } from '../imports/import-resources.ts';
import type { ProbeMessage } from '../imports/latency-probe.ts';
import { startMonitoring } from './generated-monitoring.ts';

const hosts = 5_000;
const rules = 500;
const firingRules = 4;
const stormStation = 100_000;
const stormed = 10_000;
const observeMs = 8_000;
const maxWaitMs = 120_000;
const recordsPerImport = 10_000;

const nameOf = (at: number) => `host-${at}`;
const namesOf = (count: number) => Array.from({ length: count }, (_, at) => nameOf(at));

/** A sync of a real Prometheus with 5 000 hosts, 500 rules and 20 000 alerts. */
export async function measureSources(workspace: Workspace): Promise<SourcesFinding> {
  const names = namesOf(hosts);
  const monitoring = await startMonitoring(workspace, { hosts: names, rules, firingRules });
  const dataDirectory = workspace.newDirectory('sources');
  const plain = await RosterServer.start({ workspace, dataDirectory });
  await fill(plain.origin, names);
  await countFiring(plain.origin);
  const idleBytes = readRss(plain.processId) ?? 0;
  await plain.stop();
  const server = await startPolling(workspace, dataDirectory, monitoring.url);
  await waitUntil(async () => (await ruleCountOf(server.origin)) === rules);
  const watch = latencyWatch(workspace, server.origin);
  const idle = await watch.observe(() => sleep(observeMs));
  resetPeakRss(server.processId);
  let syncSeconds = 0;
  const duringSync = await watch.observe(async () => {
    await monitoring.fire();
    syncSeconds = await timeUntilAllFire(server.origin, hosts);
  });
  const addedBytes = (readPeakRss(server.processId) ?? 0) - idleBytes;
  await Promise.all([watch.stop(), server.stop(), monitoring.stop()]);
  workspace.removeDirectory(dataDirectory);
  return { hosts, rules, alerts: hosts * firingRules, syncSeconds, addedBytes, idle, duringSync };
}

/** 10 000 of 100 000 resources change their state at once. */
export async function measureStorm(workspace: Workspace): Promise<StormFinding> {
  const names = namesOf(stormStation);
  const prometheus = await startStormyPrometheus();
  const dataDirectory = workspace.newDirectory('storm');
  const server = await startPolling(workspace, dataDirectory, prometheus.url);
  await fill(server.origin, names);
  await sleep(3_000);
  const watch = latencyWatch(workspace, server.origin);
  const idle = await watch.observe(() => sleep(observeMs));
  const revision = await revisionOf(server.origin);
  let visibleSeconds = 0;
  const duringStorm = await watch.observe(async () => {
    const answeredAtMs = await prometheus.fire();
    await waitUntil(async () => (await countFiring(server.origin)) === stormed);
    visibleSeconds = (performance.now() - answeredAtMs) / 1000;
  });
  const revisions = (await revisionOf(server.origin)) - revision;
  await Promise.all([watch.stop(), server.stop()]);
  prometheus.stop();
  workspace.removeDirectory(dataDirectory);
  return { resources: stormStation, changed: stormed, visibleSeconds, revisions, idle, duringStorm };
}

function startPolling(workspace: Workspace, dataDirectory: string, url: string): Promise<RosterServer> {
  const source = {
    name: 'prom',
    prometheus: { url, interval: '1s', timeout: '30s' },
    stations: [rosterStationPath('bench').slice('/roster/v1/'.length)],
    tie: [{ label: 'host', to: 'name' }],
  };
  const environment = { ROSTER_SOURCES: JSON.stringify([source]) };
  return RosterServer.start({ workspace, dataDirectory, environment });
}

async function fill(origin: string, names: readonly string[]): Promise<void> {
  await createStation(origin, 'bench');
  for (let at = 0; at < names.length; at += recordsPerImport) {
    const records = names
      .slice(at, at + recordsPerImport)
      .map((name) =>
        JSON.stringify({ resource_id: `id-${name}`, name, resource_type: 'resource_type.compute.vm' }),
      );
    const response = await fetch(`${origin}${rosterStationPath('bench')}/resources`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-ndjson' },
      body: records.join('\n'),
    });
    if (!response.ok) throw new Error(`an import answered ${response.status}: ${await response.text()}`);
    await response.arrayBuffer();
  }
}

async function countFiring(origin: string): Promise<number> {
  const search = `${origin}${rosterStationPath('bench')}/resources?state=firing&page.size=0`;
  return ((await (await fetch(search)).json()) as { page: { total: number } }).page.total;
}

async function revisionOf(origin: string): Promise<number> {
  const response = await fetch(`${origin}${rosterStationPath('bench')}`);
  return Number(((await response.json()) as { revision: string }).revision.split('.')[1]);
}

async function ruleCountOf(origin: string): Promise<number> {
  const response = await fetch(`${origin}${listPath('page.size=1')}`);
  const { resources } = (await response.json()) as { resources: { alert_rules_count: number }[] };
  return resources[0]!.alert_rules_count;
}

/** From the beginning of the question whose answer made all resources fire. */
async function timeUntilAllFire(origin: string, count: number): Promise<number> {
  await waitUntil(async () => (await countFiring(origin)) === count);
  const visibleAtMs = Date.now();
  const { sources } = (await (await fetch(`${origin}/roster/v1/sources`)).json()) as {
    sources: { last_read: string }[];
  };
  return (visibleAtMs - Date.parse(sources[0]!.last_read)) / 1000;
}

async function waitUntil(isSo: () => Promise<boolean>): Promise<void> {
  const untilMs = performance.now() + maxWaitMs;
  while (!(await isSo())) {
    if (performance.now() > untilMs) throw new Error('it takes too long');
    await sleep(20);
  }
}

function latencyWatch(workspace: Workspace, origin: string) {
  const probe = workspace.fork(new URL('../imports/latency-probe.ts', import.meta.url));
  const paths = Array.from({ length: 50 }, (_, at) => listPath(`page.size=20&page.offset=${at * 20}`));
  return {
    async observe(work: () => Promise<unknown>): Promise<LatencySummary> {
      await askChild(probe, { start: { origin, paths, intervalMs: 5 } } satisfies ProbeMessage);
      await work();
      return askChild<LatencySummary>(probe, { stop: true } satisfies ProbeMessage);
    },
    stop: () => workspace.stop(probe),
  };
}

/** Answers only what a storm needs: a real one could not make so many alerts at the same moment. */
async function startStormyPrometheus() {
  let isFiring = false;
  let answered: (atMs: number) => void = () => undefined;
  const server = http.createServer((request, response) => {
    request.resume();
    const isRules = request.url === '/api/v1/rules';
    const data = isRules ? { groups: [{ file: 'f', name: 'g', rules: [stormRule(isFiring)] }] } : [];
    const isStorm = isRules && isFiring;
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ status: 'success', data }), () => {
      if (isStorm) answered(performance.now());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Resolves when the first answer with all alerts is sent. */
    fire(): Promise<number> {
      const { promise, resolve } = Promise.withResolvers<number>();
      answered = resolve;
      isFiring = true;
      return promise;
    },
    stop(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}

function stormRule(isFiring: boolean): object {
  const activeAt = '2026-01-31T08:00:00Z';
  const annotations = { summary: 'the switch is down' };
  const alerts = namesOf(isFiring ? stormed : 0).map((host) => ({
    labels: { alertname: 'SwitchDown', host, severity: 'page' },
    annotations,
    state: 'firing',
    activeAt,
    value: '1',
  }));
  return { type: 'alerting', name: 'SwitchDown', query: 'up == 0', labels: {}, health: 'ok', alerts };
}
