import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSqliteStore } from '@roster/store';
import { it, type TestContext } from 'vitest';
import { longOnly } from '../../../../../testing/scale.ts';
import { record, TestServer } from '../../testing/test-server.ts';
import { FakeMonitoring } from './testing/fake-monitoring.ts';

const station = 'subscriptions/s/resourceGroups/g/zones/z/telemetryStations/t';
const vm = 'resource_type.compute.vm';
const soon = { timeout: 60_000, interval: 50 };

/** A server whose station has the hosts that a Prometheus scrapes. */
class Discovered {
  readonly monitoring: FakeMonitoring;
  readonly #data: string;
  readonly #expect: TestContext['expect'];
  server!: TestServer;

  private constructor(monitoring: FakeMonitoring, data: string, { expect }: TestContext) {
    this.monitoring = monitoring;
    this.#data = data;
    this.#expect = expect;
  }

  static async start(context: TestContext, discovery: object = {}): Promise<Discovered> {
    const data = await mkdtemp(path.join(os.tmpdir(), 'roster-discovery-'));
    const discovered = new Discovered(await FakeMonitoring.start(), data, context);
    context.onTestFinished(async () => {
      await discovered.server[Symbol.asyncDispose]();
      await discovered.monitoring[Symbol.asyncDispose]();
      await rm(data, { recursive: true });
    });
    await discovered.restart(discovery);
    await discovered.server.createStation();
    return discovered;
  }

  /** With the same data. */
  async restart(discovery: object, whileStopped: () => Promise<void> = async () => undefined): Promise<void> {
    await this.server?.[Symbol.asyncDispose]();
    await whileStopped();
    const source = {
      name: 'prom',
      prometheus: { url: this.monitoring.url, interval: '1s', timeout: '1s' },
      stations: [station],
      tie: [{ label: 'instance', to: 'name', strip_port: true }],
      discovery: { jobs: { node: vm }, strip_port: true, grace: '2s', ...discovery },
    };
    this.server = await TestServer.start({
      ROSTER_DATA: this.#data,
      ROSTER_SOURCES: JSON.stringify([source]),
    });
  }

  async names(): Promise<string> {
    return (await this.server.listed()).resources
      .map(({ name }) => name)
      .sort()
      .join();
  }

  async expectNames(expected: string): Promise<void> {
    await this.#expect.poll(() => this.names(), soon).toBe(expected);
  }

  async expectCount(expected: number): Promise<void> {
    await this.#expect.poll(async () => (await this.server.ids()).length, soon).toBe(expected);
  }

  async status(): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.server.url}/roster/v1/sources`);
    const { sources } = (await response.json()) as { sources: { discovery: Record<string, unknown> }[] };
    return sources[0]!.discovery;
  }

  async revision(): Promise<number> {
    return Number((await this.server.list()).headers.get('Roster-Revision')!.split('.').at(-1));
  }

  /** All that is stored of the resources with these names. */
  async exported(names: readonly string[]): Promise<{ name: string }[]> {
    const lines = (await (await this.server.manage('/export')).text()).trim().split('\n');
    return lines.map((line) => JSON.parse(line)).filter(({ name }) => names.includes(name));
  }

  /** For how long targets were counted as missing, of a server that is stopped. */
  async countedMs(): Promise<number[]> {
    const store = await createSqliteStore({ directory: this.#data });
    const note = await store.notes.read('missing/prom');
    await store.close();
    return Object.values(JSON.parse(Buffer.from(note!.body).toString()).missing);
  }

  async metrics(): Promise<string> {
    return (await fetch(this.server.metricsUrl)).text();
  }
}

const hosts = (...names: string[]) => names.map((name) => ({ job: 'node', instance: `${name}:9100` }));
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `vm-${at}`);

it.concurrent('makes resources of targets and ties their alerts, whatever else there is', async (context) => {
  const { expect } = context;
  const given = { labels: { rack: 'rack' }, display_name: 'nodename' };
  const discovered = await Discovered.start(context, given);
  const { server, monitoring } = discovered;
  await server.write(record('mine', { name: 'vm-mine' }), record('named', { name: 'vm-named' }));
  monitoring.targets = [
    ...hosts('vm-named', 'vm-a'),
    { job: 'node', instance: 'vm-a:9256' },
    { job: 'node', instance: 'vm-b:9100', rack: 'r1', nodename: 'Host B' },
    { job: 'kubelet', instance: 'vm-a' },
    { job: 'node' },
  ];
  monitoring.fire('vm-b:9100');
  await expect
    .poll(() => discovered.status(), soon)
    .toEqual({
      targets: 6,
      resources: 2,
      taken: 1,
      unmapped: 1,
      unmapped_jobs: [{ job: 'kubelet', targets: 1 }],
      unusable: 1,
      examples: [{ labels: { job: 'node' }, reason: 'it has no label instance' }],
      surplus: 0,
      missing: 0,
      refusal: null,
      error: null,
    });
  const shown = async () =>
    (await server.listed()).resources.map(({ display_name, state }) => `${display_name} ${state}`);
  await expect
    .poll(shown, soon)
    .toEqual([
      'Host B ALERTSTATE_FIRING',
      'vm-a ALERTSTATE_INACTIVE',
      'vm-mine ALERTSTATE_INACTIVE',
      'vm-named ALERTSTATE_INACTIVE',
    ]);
  const [id] = await server.ids();
  expect(id).toMatch(/^prom-[0-9a-f]{16}$/);
  const stored = await (await server.manage(`/resources/${id}`)).json();
  expect(stored).toMatchObject({ labels: { rack: 'r1' }, resource_type: { key: vm } });
  const metrics = await discovered.metrics();
  expect(metrics).toContain('\nroster_source_discovered_resources{source="prom"} 2\n');
  expect(metrics).toContain('\nroster_source_unmapped_targets{source="prom"} 1\n');
});

longOnly(it.concurrent)(
  'retires its own once their targets are gone for the grace period',
  async (context) => {
    const { expect } = context;
    const discovered = await Discovered.start(context);
    const { server, monitoring } = discovered;
    monitoring.targets = hosts('vm-a', 'vm-b', 'vm-c');
    await discovered.expectNames('vm-a,vm-b,vm-c');
    const exported = await (await server.manage('/export')).text();
    expect(await (await server.writeText(exported)).json()).toMatchObject({ unchanged: 3 });
    // A renamed one is given up, and a copy with another id was never its own.
    const records = exported.trim().split('\n');
    const b = records.map((line) => JSON.parse(line)).find(({ name }) => name === 'vm-b');
    await server.write({ ...b, name: 'vm-kept' }, { ...b, resource_id: 'prom-copy', name: 'vm-x' });
    monitoring.targets = hosts('vm-a');
    await expect.poll(async () => (await discovered.status()).missing, soon).toBe(1);
    const missingSince = performance.now();
    await discovered.expectNames('vm-a,vm-kept,vm-x');
    expect(performance.now() - missingSince).toBeGreaterThan(900);
    monitoring.targets = hosts('vm-a', 'vm-c');
    await discovered.expectNames('vm-a,vm-c,vm-kept,vm-x');
  },
);

longOnly(it.concurrent)(
  'retires nothing while more than half are gone, until that is allowed',
  async (context) => {
    const { expect } = context;
    const discovered = await Discovered.start(context, { grace: '1s' });
    const { monitoring } = discovered;
    monitoring.targets = hosts(...numbered(30));
    await discovered.expectCount(30);
    const [{ resource_id }] = (await discovered.exported(['vm-3'])) as [
      { resource_id: string; name: string },
    ];
    await discovered.server.write(
      record(resource_id, { name: 'vm-3', sku: '8 GPU', labels: { owner: 'me' } }),
    );
    monitoring.targets = hosts(...numbered(10));
    await expect
      .poll(async () => (await discovered.status()).refusal, soon)
      .toContain('20 of 30 discovered resources');
    expect(await discovered.metrics()).toContain('\nroster_source_discovery_stopped{source="prom"} 1\n');
    await discovered.expectCount(30);
    const before = await discovered.revision();
    const staying = await discovered.exported(numbered(20));
    monitoring.targets = hosts(...numbered(20));
    await discovered.expectCount(20);
    // As one revision, which leaves the others as they are.
    expect(await discovered.revision()).toBe(before + 1);
    expect(await discovered.exported(numbered(20))).toEqual(staying);
    expect(await discovered.status()).toMatchObject({ refusal: null, missing: 0 });
    monitoring.targets = [];
    await expect.poll(async () => (await discovered.status()).missing, soon).toBe(20);
    await discovered.restart({ grace: '1s', allow_removal: 'all' });
    await discovered.expectCount(0);
  },
);

longOnly(it.concurrent)('retires while others write, and undoes nothing of theirs', async (context) => {
  const { expect } = context;
  const discovered = await Discovered.start(context, { grace: '1s' });
  const { monitoring, server } = discovered;
  monitoring.targets = hosts(...numbered(30));
  await discovered.expectCount(30);
  const before = await server.ids();
  const staying = await discovered.exported(numbered(20));
  monitoring.targets = hosts(...numbered(20));
  let written = 0;
  const write = async () => {
    while ((await server.ids()).filter((id) => before.includes(id)).length > 20) {
      const id = `w-${written++}`;
      expect((await server.write(record(id, { name: id }))).status).toBe(200);
    }
  };
  await Promise.all([write(), write(), write()]);
  expect(await discovered.exported(numbered(30))).toEqual(staying);
  await discovered.expectCount(20 + written);
});

longOnly(it.concurrent)(
  'leaves alone what a target with a bad name or a partial answer concerns',
  async (context) => {
    const { expect } = context;
    const discovered = await Discovered.start(context, { grace: '1s', display_name: 'nodename' });
    const { monitoring } = discovered;
    const named = (nodename: string) => hosts('vm-a', 'vm-b').map((labels) => ({ ...labels, nodename }));
    monitoring.targets = named('Host');
    await discovered.expectNames('vm-a,vm-b');
    monitoring.targets = named('bad\tname');
    await sleep(3_500);
    expect(await discovered.names()).toBe('vm-a,vm-b');
    monitoring.warnings = ['a store did not answer'];
    monitoring.targets = [];
    await expect
      .poll(async () => (await discovered.status()).error, soon)
      .toContain('a store did not answer');
    await sleep(2_500);
    expect(await discovered.names()).toBe('vm-a,vm-b');
  },
);

longOnly(it.concurrent)('makes no more than it may, and says so', async (context) => {
  const { expect } = context;
  const discovered = await Discovered.start(context, { max_resources: 3 });
  const { monitoring } = discovered;
  monitoring.targets = hosts('vm-a', 'vm-b');
  await discovered.expectNames('vm-a,vm-b');
  monitoring.targets = hosts(...numbered(2_000), 'vm-b', 'vm-a');
  await discovered.expectNames('vm-0,vm-a,vm-b');
  await expect.poll(async () => (await discovered.status()).surplus, soon).toBe(1_999);
  const { refusal, resources } = await discovered.status();
  expect(resources).toBe(3);
  expect(refusal).toBe(
    '1999 resources of its targets are not created: it may have 3 in all; if that is too few, raise max_resources in its discovery',
  );
  const metrics = await discovered.metrics();
  expect(metrics).toContain('\nroster_source_surplus_resources{source="prom"} 1999\n');
  expect(metrics).toContain('\nroster_source_discovery_stopped{source="prom"} 1\n');
  await discovered.restart({ max_resources: 30 });
  await discovered.expectCount(30);
});

longOnly(it.concurrent)('retires nothing while targets cannot be read', async (context) => {
  const { expect } = context;
  const discovered = await Discovered.start(context, { grace: '1s' });
  const { monitoring } = discovered;
  monitoring.targets = hosts('vm-a', 'vm-b', 'vm-c');
  await discovered.expectNames('vm-a,vm-b,vm-c');
  monitoring.targets = hosts('vm-a', 'vm-b');
  monitoring.breaksOff = true;
  await expect
    .poll(async () => (await discovered.status()).error, soon)
    .toBe('its targets could not be read: it broke off the connection');
  await sleep(2_500);
  expect(await discovered.names()).toBe('vm-a,vm-b,vm-c');
  monitoring.failure = 500;
  monitoring.breaksOff = false;
  await sleep(2_500);
  expect(await discovered.names()).toBe('vm-a,vm-b,vm-c');
  monitoring.failure = undefined;
  await discovered.expectNames('vm-a,vm-b');
});

longOnly(it.concurrent)('goes on counting after a restart, without the time between', async (context) => {
  const { expect } = context;
  const grace = { grace: '1h' };
  const discovered = await Discovered.start(context, grace);
  const { monitoring } = discovered;
  const untilCounted = async () => {
    const asked = monitoring.asked.prometheus;
    await expect.poll(() => monitoring.asked.prometheus, soon).toBeGreaterThan(asked + 3);
  };
  monitoring.targets = hosts('vm-a', 'vm-b', 'vm-c');
  await discovered.expectNames('vm-a,vm-b,vm-c');
  monitoring.targets = hosts('vm-a', 'vm-b');
  await untilCounted();
  let before = 0;
  let restartedAt = 0;
  await discovered.restart(grace, async () => {
    [before = 0] = await discovered.countedMs();
    await sleep(8_000);
    restartedAt = performance.now();
  });
  await untilCounted();
  let after = 0;
  let passedMs = 0;
  await discovered.restart({ grace: '1s' }, async () => {
    [after = 0] = await discovered.countedMs();
    passedMs = performance.now() - restartedAt;
  });
  expect(before).toBeGreaterThan(1_000);
  expect(after).toBeGreaterThan(before);
  // Two intervals count even if nobody asked.
  expect(after - before).toBeLessThan(passedMs + 2_500);
  await discovered.expectNames('vm-a,vm-b');
});
