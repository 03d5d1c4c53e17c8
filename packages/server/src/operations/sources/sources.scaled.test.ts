import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { longOnly } from '../../../../../testing/scale.ts';
import { record, TestServer } from '../../testing/test-server.ts';
import { FakeMonitoring, since } from './testing/fake-monitoring.ts';

const station = 'subscriptions/s/resourceGroups/g/zones/z/telemetryStations/t';
let monitoring: FakeMonitoring;
let server: TestServer;

beforeEach(async () => {
  monitoring = await FakeMonitoring.start();
});

afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await monitoring[Symbol.asyncDispose]();
});

const tie = [{ label: 'instance', to: 'name', strip_port: true }];

async function start(...sources: object[]): Promise<void> {
  server = await TestServer.start({ ROSTER_SOURCES: JSON.stringify(sources) });
  await server.createStation();
  await server.write(record('a', { name: 'vm-a' }), record('b', { name: 'vm-b' }));
}

const prometheus = (name = 'prom') => ({
  name,
  prometheus: { url: monitoring.url, interval: '1s', timeout: '1s' },
  stations: [station],
  tie,
});
const alertmanager = () => ({
  name: 'am',
  alertmanager: { url: monitoring.url, interval: '1s', timeout: '1s' },
});

async function states(): Promise<string> {
  const { resources } = await server.listed();
  return resources.map(({ state }) => String(state).replace('ALERTSTATE_', '').toLowerCase()).join();
}

const counts = async () => (await server.listed()).resources.map((each) => each.alert_rules_count).join();

const soon = { timeout: 60_000, interval: 50 };
const expectStates = (expected: string) => expect.poll(states, soon).toBe(expected);

/** Until what is said now was taken in: a source is asked again only after that. */
async function untilTakenIn(by = monitoring, kind: keyof FakeMonitoring['asked'] = 'prometheus') {
  const before = by.asked[kind];
  await expect.poll(() => by.asked[kind], soon).toBeGreaterThan(before + 1);
}

interface Shown {
  readonly name: string;
  readonly [member: string]: unknown;
}

async function get<T>(path: string): Promise<T> {
  return (await fetch(`${server.url}/roster/v1/${path}`)).json() as Promise<T>;
}
const sourceNamed = async (name: string) =>
  (await get<{ sources: Shown[] }>('sources')).sources.find((source) => source.name === name)!;
const alertsOf = async (id: string) =>
  (await get<{ alerts: Shown[] }>(`${station}/resources/${id}/alerts`)).alerts;

/** All that a resource was in. */
async function statesSeen(id: string): Promise<string[]> {
  const { changes } = await get<{ changes: { resource: { state: string } }[] }>(
    `${station}/changes?resource_id=${id}`,
  );
  return changes.map(({ resource }) => resource.state);
}

const notify = (...alerts: object[]) =>
  server.manage('/alertmanager', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ version: '4', status: 'firing', alerts }),
  });
const firing = (instance: string, given: object = {}) => ({
  status: 'firing',
  labels: { alertname: 'Hot', instance, cluster: 'east' },
  annotations: {},
  startsAt: since,
  endsAt: '0001-01-01T00:00:00Z',
  fingerprint: `f-${instance}`,
  ...given,
});

describe('a source', () => {
  it('gives resources the state of their alerts, and since when', async () => {
    await start(prometheus());
    await expectStates('inactive,inactive');
    monitoring.fire('vm-a:9100');
    await expectStates('firing,inactive');
    const { state_since, changed_by } = await get<Shown>(`${station}/resources/a`);
    expect([state_since, changed_by]).toEqual(['2026-01-31T08:00:00.123Z', 'source:prom']);
    expect(await alertsOf('a')).toEqual([
      {
        fingerprint: expect.any(String),
        state: 'firing',
        since: '2026-01-31T08:00:00.123Z',
        labels: { alertname: 'Down', instance: 'vm-a:9100' },
        annotations: {},
        generator_url: `${monitoring.url}/graph?g0.expr=up+%3D%3D+0&g0.tab=1`,
        silences: [],
        inhibited_by: [],
        sources: ['prom'],
      },
    ]);
    expect(await alertsOf('b')).toEqual([]);
    monitoring.fire();
    await expectStates('inactive,inactive');
  });

  longOnly(it)('writes one revision for all changes of a sync, and none for no changes', async () => {
    monitoring.fire();
    monitoring.series = { up: ['vm-a', 'vm-b'].map((instance) => ({ __name__: 'up', instance })) };
    await start(prometheus());
    const revision = async () => Number((await get<{ revision: string }>(station)).revision.split('.')[1]);
    await expect.poll(counts, soon).toBe('1,1');
    const before = await revision();
    monitoring.fire('vm-a', 'vm-b');
    await expectStates('firing,firing');
    await untilTakenIn();
    expect(await revision()).toBe(before + 1);
  });

  it('moves no state_since while a state stays, whatever a restarted server says of its alert', async () => {
    const labels = { alertname: 'Down', instance: 'vm-a' };
    const fire = (activeAt: string) => {
      monitoring.rules = [{ name: 'Down', query: 'up == 0', alerts: [{ labels, activeAt }] }];
    };
    const manage = (startsAt: string) => {
      const status = { state: 'active', silencedBy: [], inhibitedBy: [] };
      monitoring.managed = [
        { labels: { ...labels, cluster: 'east' }, annotations: {}, startsAt, fingerprint: 'f', status },
      ];
    };
    await start(prometheus(), alertmanager());
    await expectStates('inactive,inactive');
    fire('2026-01-31T08:00:00Z');
    await expectStates('firing,inactive');
    const sinceOf = async () => (await get<Shown>(`${station}/resources/a`)).state_since;
    expect(await sinceOf()).toBe('2026-01-31T08:00:00.000Z');
    const shown = async () => (await alertsOf('a')).map(({ since }) => since);
    manage('2026-01-31T08:05:00Z');
    await expect.poll(shown, soon).toEqual(['2026-01-31T08:05:00.000Z']);
    fire('2026-01-31T09:00:00Z');
    await untilTakenIn();
    expect(await shown()).toEqual(['2026-01-31T08:05:00.000Z']);
    monitoring.managed = [];
    await expect.poll(shown, soon).toEqual(['2026-01-31T09:00:00.000Z']);
    expect(await sinceOf()).toBe('2026-01-31T08:00:00.000Z');
    const { changes } = await get<{ changes: { resource: Shown }[] }>(`${station}/changes?resource_id=a`);
    const times = new Set(changes.map(({ resource }) => resource.state_since));
    expect([...times].slice(1)).toEqual(['2026-01-31T08:00:00.000Z']);
    monitoring.rules = [];
    await expectStates('inactive,inactive');
    fire('2026-01-31T10:00:00Z');
    await expectStates('firing,inactive');
    expect(await sinceOf()).toBe('2026-01-31T10:00:00.000Z');
  });

  longOnly(it)('keeps the last states while it is down, and says since when', async () => {
    await start(prometheus());
    monitoring.fire('vm-a');
    await expectStates('firing,inactive');
    monitoring.failure = 500;
    await expect.poll(async () => (await sourceNamed('prom')).health, soon).toBe('down');
    expect(await sourceNamed('prom')).toMatchObject({
      error: 'answered 500',
      down_since: expect.stringMatching(/Z$/),
      last_read: expect.stringMatching(/Z$/),
    });
    expect(await states()).toBe('firing,inactive');
    const metrics = await (await fetch(server.metricsUrl)).text();
    expect(metrics).toContain('\nroster_source_up{source="prom"} 0\n');
    monitoring.failure = undefined;
    monitoring.fire();
    await expectStates('inactive,inactive');
    const recovered = { health: 'up', error: null, down_since: null };
    await expect.poll(() => sourceNamed('prom'), soon).toMatchObject(recovered);
  });

  longOnly(it)(
    'keeps states and rule counts when Roster starts while it is down, whatever else answers',
    async () => {
      const data = await mkdtemp(join(tmpdir(), 'roster-sources-'));
      onTestFinished(() => rm(data, { recursive: true }));
      const silences = await FakeMonitoring.start();
      onTestFinished(() => silences[Symbol.asyncDispose]());
      monitoring.fire('vm-a');
      monitoring.series = { up: ['vm-a', 'vm-b'].map((instance) => ({ __name__: 'up', instance })) };
      const am = { name: 'am', alertmanager: { url: silences.url, interval: '1s', timeout: '1s' } };
      const environment = { ROSTER_DATA: data, ROSTER_SOURCES: JSON.stringify([prometheus(), am]) };
      server = await TestServer.start(environment);
      await server.createStation();
      await server.write(record('a', { name: 'vm-a' }), record('b', { name: 'vm-b' }));
      await expect.poll(counts, soon).toBe('1,1');
      await server[Symbol.asyncDispose]();
      monitoring.failure = 500;
      server = await TestServer.start(environment);
      await expect.poll(async () => (await sourceNamed('am')).health, soon).toBe('up');
      await expect.poll(async () => (await sourceNamed('prom')).health, soon).toBe('down');
      const { last_read } = await sourceNamed('am');
      await expect.poll(async () => (await sourceNamed('am')).last_read, soon).not.toBe(last_read);
      expect([await states(), await counts()]).toEqual(['firing,inactive', '1,1']);
      expect(await sourceNamed('prom')).toMatchObject({ rules: null });
      monitoring.failure = undefined;
      monitoring.rules = [];
      await expect.poll(counts, soon).toBe('0,0');
    },
  );

  longOnly(it)('makes nothing inactive because a Prometheus has just started', async () => {
    await start(prometheus());
    monitoring.fire('vm-a');
    await expectStates('firing,inactive');
    monitoring.rules = [
      { name: 'Down', query: 'up == 0', health: 'unknown' },
      {
        name: 'Hot',
        query: 'x',
        alerts: [{ labels: { alertname: 'Hot', instance: 'vm-b' }, state: 'pending' }],
      },
    ];
    await expectStates('firing,pending');
    monitoring.fire('vm-b');
    await expectStates('inactive,firing');
  });

  longOnly(it)('makes nothing inactive that another source may know, which has never answered', async () => {
    const away = { ...prometheus('away'), prometheus: { url: 'http://127.0.0.1:9', interval: '1s' } };
    server = await TestServer.start({ ROSTER_SOURCES: JSON.stringify([prometheus(), away]) });
    await server.createStation();
    monitoring.fire('vm-a');
    await server.write(record('a', { name: 'vm-a' }));
    await expectStates('firing');
    monitoring.fire();
    await expect.poll(async () => (await alertsOf('a')).length, soon).toBe(0);
    expect(await states()).toBe('firing');
    expect((await sourceNamed('away')).error).toBe('refuses connections');
  });

  it('counts and lists what it cannot tie, and never guesses', async () => {
    await start({ ...prometheus(), tie: [...tie, { label: 'instance', to: 'label.host' }] });
    const labels = { host: 'vm-x' };
    await server.write(record('b', { name: 'vm-b', labels }), record('c', { name: 'vm-c', labels }));
    monitoring.fire('vm-a', 'vm-x', 'nobody');
    await expectStates('firing,inactive,inactive');
    // The status is written after the states.
    const alertsTied = async () => (await sourceNamed('prom')).alerts;
    await expect.poll(alertsTied, soon).toEqual({ total: 3, tied: 1, unmatched: 1, ambiguous: 1 });
    expect(await get('sources/prom/unmatched')).toEqual({
      unmatched: [
        { reason: 'unmatched', labels: { alertname: 'Down', instance: 'nobody' }, candidates: [] },
        { reason: 'ambiguous', labels: { alertname: 'Down', instance: 'vm-x' }, candidates: ['b', 'c'] },
      ],
    });
    expect(await get('sources/none/unmatched')).toMatchObject({ code: 'source_not_found' });
  });

  longOnly(it)('shows what Alertmanager silences and inhibits, by whom and until when', async () => {
    monitoring.fire('vm-a', 'vm-b');
    const managed = (instance: string, status: object) => ({
      labels: { alertname: 'Down', instance, cluster: 'east' },
      annotations: {},
      startsAt: since,
      fingerprint: `f-${instance}`,
      generatorURL: instance === 'vm-a' ? 'https://prom.test/graph?g0.expr=up' : 'javascript:alert(1)',
      status: { state: 'suppressed', silencedBy: [], inhibitedBy: [], ...status },
    });
    monitoring.managed = [managed('vm-a', { silencedBy: ['s1'] }), managed('vm-b', { inhibitedBy: ['x'] })];
    monitoring.silences = [
      { id: 's1', createdBy: 'Ann', comment: 'new disk', endsAt: '2027-01-01T00:00:00Z' },
    ];
    await start(prometheus(), alertmanager());
    await expectStates('suppressed,suppressed');
    // Alertmanager may have answered before Prometheus.
    await expect.poll(async () => (await alertsOf('a'))[0]?.sources, soon).toEqual(['prom', 'am']);
    expect((await alertsOf('a'))[0]).toMatchObject({
      state: 'suppressed',
      generator_url: 'https://prom.test/graph?g0.expr=up',
      silences: [{ id: 's1', created_by: 'Ann', comment: 'new disk', until: '2027-01-01T00:00:00.000Z' }],
      sources: ['prom', 'am'],
    });
    expect((await alertsOf('b'))[0]).toMatchObject({
      inhibited_by: ['x'],
      generator_url: expect.stringMatching(/^http:/),
    });
    monitoring.managed = [];
    await expectStates('firing,firing');
  });

  describe('of a suppressed alert', () => {
    const status = { state: 'suppressed', silencedBy: ['s1'], inhibitedBy: [] };
    const labels = { alertname: 'Down', instance: 'vm-a' };
    const managed = { labels, annotations: {}, startsAt: since, fingerprint: 'f', status };
    const rarely = (source: object) =>
      JSON.parse(
        JSON.stringify(source).replace('"interval":"1s","timeout":"1s"', '"interval":"1h","timeout":"60s"'),
      );

    it('never says that it fires when it begins', async () => {
      await start(prometheus(), rarely(alertmanager()));
      await expect.poll(async () => (await sourceNamed('am')).health, soon).toBe('up');
      monitoring.managed = [managed];
      monitoring.fire('vm-a');
      await expectStates('suppressed,inactive');
      expect(await statesSeen('a')).not.toContain('ALERTSTATE_FIRING');
    });

    longOnly(it)('never says that it fires when it ends', async () => {
      monitoring.managed = [managed];
      monitoring.fire('vm-a');
      await start(rarely(prometheus()), alertmanager());
      await expectStates('suppressed,inactive');
      monitoring.managed = [];
      monitoring.rules = [];
      await expectStates('inactive,inactive');
      expect(await statesSeen('a')).not.toContain('ALERTSTATE_FIRING');
    });
  });

  longOnly(it)('keeps an alert that Alertmanager drops while its Prometheus is down', async () => {
    await using other = await FakeMonitoring.start();
    const status = { state: 'active', silencedBy: [], inhibitedBy: [] };
    const labels = { alertname: 'Down', instance: 'vm-a' };
    other.managed = [{ labels, annotations: {}, startsAt: since, fingerprint: 'f', status }];
    await start(prometheus(), { name: 'am', alertmanager: { url: other.url, interval: '1s' } });
    await expectStates('firing,inactive');
    monitoring.failure = 500;
    await expect.poll(async () => (await sourceNamed('prom')).health, soon).toBe('down');
    other.managed = [];
    await untilTakenIn(other, 'alertmanager');
    expect(await states()).toBe('firing,inactive');
    monitoring.failure = undefined;
    await expectStates('inactive,inactive');
  });

  longOnly(it)('keeps alerts of a rule that is not evaluated yet, but none of its namesake', async () => {
    const alerts = [{ labels: { alertname: 'Down', instance: 'vm-a' } }];
    const late = { name: 'Down', query: 'probe == 0', health: 'unknown' };
    monitoring.rules = [{ name: 'Down', query: 'up == 0', alerts }, late];
    await start(prometheus());
    await expectStates('firing,inactive');
    await untilTakenIn();
    expect(await sourceNamed('prom')).toMatchObject({ alerts: { total: 1 } });
    monitoring.rules = [{ name: 'Down', query: 'up == 0' }, late];
    await expectStates('inactive,inactive');
    monitoring.rules = [{ ...late, health: 'ok', alerts }];
    await expectStates('firing,inactive');
    monitoring.rules = [late];
    await untilTakenIn();
    expect(await states()).toBe('firing,inactive');
  });

  longOnly(it)('makes nothing inactive because of an answer with warnings', async () => {
    monitoring.fire('vm-a');
    await start(prometheus());
    await expectStates('firing,inactive');
    monitoring.warnings = ['a store did not answer', { odd: 1 }];
    monitoring.fire('vm-b');
    await expectStates('firing,firing');
    monitoring.warnings = [];
    await expectStates('inactive,firing');
  });

  it('says which of its stations do not exist, until they do', async () => {
    const other = station.replace(/t$/, 'other');
    await start({ ...prometheus(), stations: [station, other] });
    // The first question may come before `station` exists, too.
    await expect
      .poll(() => sourceNamed('prom'), soon)
      .toMatchObject({
        missing_stations: [other],
        health: 'no_station',
        error: null,
        warnings: [`the station ${other} does not exist; create it, or correct the source`],
      });
    const metrics = await (await fetch(server.metricsUrl)).text();
    expect(metrics).toContain('\nroster_source_up{source="prom"} 1\n');
    expect(metrics).toContain('\nroster_source_missing_stations{source="prom"} 1\n');
    monitoring.fire('vm-a:9100');
    await expectStates('firing,inactive');
    await fetch(`${server.url}/roster/v1/${other}`, { method: 'PUT' });
    await expect.poll(async () => (await sourceNamed('prom')).health, soon).toBe('up');
    expect(await sourceNamed('prom')).toMatchObject({ missing_stations: [], warnings: [] });
  });

  it('says that a station exists as soon as it does, also of a source that is down', async () => {
    const rarely = { ...prometheus('rare'), prometheus: { url: monitoring.url, interval: '1h' } };
    server = await TestServer.start({ ROSTER_SOURCES: JSON.stringify([prometheus(), rarely]) });
    monitoring.fire('vm-a');
    const healths = async () => [(await sourceNamed('prom')).health, (await sourceNamed('rare')).health];
    await expect.poll(healths, soon).toEqual(['no_station', 'no_station']);
    monitoring.failure = 500;
    await expect.poll(healths, soon).toEqual(['down', 'no_station']);
    await server.createStation();
    expect(await sourceNamed('prom')).toMatchObject({ health: 'down', missing_stations: [], warnings: [] });
    expect(await sourceNamed('rare')).toMatchObject({ health: 'up', missing_stations: [], warnings: [] });
    // What was last said counts for new resources, too.
    await server.write(record('a', { name: 'vm-a' }));
    await expectStates('firing');
  });

  it('is down since it first did not answer, also when Roster is started again', async () => {
    const data = await mkdtemp(join(tmpdir(), 'roster-sources-'));
    onTestFinished(() => rm(data, { recursive: true }));
    await using other = await FakeMonitoring.start();
    const late = { ...prometheus('late'), prometheus: { url: other.url, interval: '1s' } };
    const environment = {
      ROSTER_DATA: data,
      ROSTER_SOURCES: JSON.stringify([prometheus('never'), late]),
    };
    monitoring.failure = 500;
    server = await TestServer.start(environment);
    await server.createStation();
    const shown = async (name: string) => (await sourceNamed(name)).down_since;
    await expect.poll(async () => (await sourceNamed('late')).health, soon).toBe('up');
    other.failure = 500;
    await expect.poll(() => shown('late'), soon).not.toBeNull();
    await expect.poll(() => shown('never'), soon).not.toBeNull();
    const before = [await shown('never'), await shown('late')];
    await server[Symbol.asyncDispose]();
    server = await TestServer.start(environment);
    await expect.poll(async () => (await sourceNamed('never')).health, soon).toBe('down');
    await Promise.all([untilTakenIn(), untilTakenIn(other)]);
    expect([await shown('never'), await shown('late')]).toEqual(before);
    monitoring.failure = undefined;
    await expect.poll(() => shown('never'), soon).toBeNull();
  });

  longOnly(it)('tells of changes while others keep writing to its station', async () => {
    await start(prometheus());
    const many = Array.from({ length: 5_000 }, (_, at) => record(`r-${at}`, { name: `r-${at}` }));
    expect((await server.write(...many)).status).toBe(200);
    let isOver = false;
    const write = async (_: unknown, writer: number) => {
      for (let at = 0; !isOver; at++) {
        expect(
          (await server.write(record(`r-${writer}`, { name: `r-${writer}`, sku: `${at}` }))).status,
        ).toBe(200);
      }
    };
    const writing = Promise.all(Array.from({ length: 8 }, write));
    const stateOf = async (id: string) => (await server.listed(`resource_ids=${id}`)).resources[0]!.state;
    try {
      monitoring.fire('vm-a:9100');
      await expect.poll(() => stateOf('a'), soon).toBe('ALERTSTATE_FIRING');
      monitoring.rules = [];
      await expect.poll(() => stateOf('a'), soon).toBe('ALERTSTATE_INACTIVE');
    } finally {
      isOver = true;
      await writing;
    }
  });

  it('counts the rules that watch a resource, and lowers no count while one is unresolved', async () => {
    monitoring.rules = [
      { name: 'Down', query: 'up == 0' },
      { name: 'Full', query: 'disk > 0.9' },
    ];
    monitoring.series = {
      up: [
        { __name__: 'up', instance: 'vm-a:1' },
        { __name__: 'up', instance: 'vm-b:1' },
      ],
      disk: [{ __name__: 'disk', instance: 'vm-a:1' }],
    };
    await start(prometheus());
    await expect.poll(counts, soon).toBe('2,1');
    monitoring.rules = [
      { name: 'Down', query: 'up == 0' },
      { name: 'Odd', query: 'unheard_of(x)' },
    ];
    await expect
      .poll(async () => (await sourceNamed('prom')).rules, soon)
      .toEqual({
        total: 2,
        unresolved: 1,
        examples: [{ name: 'Odd', reason: 'Roster cannot parse its expression' }],
      });
    expect(await counts()).toBe('2,1');
    monitoring.rules = [{ name: 'Down', query: 'up == 0' }];
    await expect.poll(counts, soon).toBe('1,1');
  });
});

describe('an import into a station with a source', () => {
  it('leaves alone what the source owns, and says so in plan and answer', async () => {
    monitoring.fire('vm-a');
    await start(prometheus());
    await expectStates('firing,inactive');
    const exported = await (await server.manage('/export')).text();
    const send = (query: string, body = exported) =>
      server.manage(`/resources?${query}`, {
        method: 'POST',
        body,
        headers: { 'Content-Type': 'application/x-ndjson' },
      });
    const left_alone = {
      fields: ['state', 'state_since', 'alert_rules_count'],
      records: 2,
      sources: ['prom'],
    };
    const changed = exported.replaceAll(/ALERTSTATE_\w+/g, 'ALERTSTATE_PENDING');
    expect(await (await send('mode=replace&dry_run=true', changed)).json()).toMatchObject({
      total_changes: 0,
      unchanged: 2,
      left_alone,
    });
    expect(await (await send('mode=replace', changed)).json()).toMatchObject({ unchanged: 2, left_alone });
    expect(await states()).toBe('firing,inactive');
    const { left_alone: nothing } = (await (
      await server.write(record('d', { name: 'vm-d' }))
    ).json()) as Shown;
    expect(nothing).toBeUndefined();
  });

  longOnly(it)('leaves it alone in a patch as well', async () => {
    monitoring.fire('vm-a');
    await start(prometheus());
    await expectStates('firing,inactive');
    const body = JSON.stringify([{ resource_id: 'a', state: 'ALERTSTATE_PENDING', labels: { rack: 'r1' } }]);
    const headers = { 'Content-Type': 'application/json' };
    const patched = await server.manage('/resources', { method: 'PATCH', body, headers });
    expect(await patched.json()).toMatchObject({
      updated: 1,
      left_alone: { fields: ['state'], records: 1, sources: ['prom'] },
    });
    expect(await states()).toBe('firing,inactive');
  });

  it('still owns rule counts where only an Alertmanager is the source', async () => {
    await start({ ...alertmanager(), stations: [station], tie });
    await server.write(record('a', { name: 'vm-a', alert_rules_count: 7, state: 'ALERTSTATE_FIRING' }));
    const { resources } = await server.listed();
    expect(resources.map(({ alert_rules_count, state }) => [alert_rules_count, state])[0]).toEqual([
      7,
      'ALERTSTATE_INACTIVE',
    ]);
  });
});

describe('a webhook', () => {
  it('shows alerts at once, whatever is sent twice', async () => {
    await start({ ...prometheus(), prometheus: { url: monitoring.url, interval: '1h' } });
    await expect.poll(async () => (await sourceNamed('prom')).health, soon).toBe('up');
    expect(await (await notify(firing('vm-b:1'), firing('nobody'))).json()).toEqual({
      firing: 2,
      resolved: 0,
    });
    await expectStates('inactive,firing');
    expect((await alertsOf('b'))[0]).toMatchObject({ state: 'firing', sources: ['webhook'] });
    await notify(firing('vm-b:1'));
    expect(await alertsOf('b')).toHaveLength(1);
  });

  it('is confirmed or corrected by the next poll', async () => {
    await start(prometheus());
    monitoring.fire('vm-a');
    await expectStates('firing,inactive');
    await notify(firing('vm-a'), firing('vm-b'));
    await expect.poll(() => statesSeen('b'), soon).toContain('ALERTSTATE_FIRING');
    await expectStates('firing,inactive');
    expect((await alertsOf('a')).map(({ sources }) => sources)).toEqual([['prom']]);
  });

  longOnly(it)('ends what a source still has', async () => {
    monitoring.fire('vm-a');
    await start({ ...prometheus(), prometheus: { url: monitoring.url, interval: '30s' } });
    await expectStates('firing,inactive');
    const labels = { alertname: 'Down', instance: 'vm-a', cluster: 'east' };
    await notify(firing('vm-a', { status: 'resolved', labels, endsAt: new Date().toISOString() }));
    await expectStates('inactive,inactive');
    await notify(firing('vm-a', { labels }));
    await expectStates('firing,inactive');
  });

  longOnly(it)(
    'is answered 503 while too much is kept, and taken again once the sources were read',
    async () => {
      monitoring.failure = 500;
      await start(prometheus());
      const long = 'x'.repeat(14 * 1024 * 1024);
      const send = (at: number) =>
        notify(firing('vm-a', { fingerprint: `f-${at}`, annotations: { long, at: String(at) } }));
      for (let at = 0; at < 5; at++) expect((await send(at)).status).toBe(200);
      const refused = await send(5);
      expect([refused.status, await refused.json()]).toEqual([
        503,
        expect.objectContaining({ code: 'overloaded' }),
      ]);
      expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
      await expectStates('firing,inactive');
      monitoring.failure = undefined;
      monitoring.fire('vm-b');
      await expectStates('inactive,firing');
      await expect.poll(async () => (await notify(firing('vm-a'))).status, soon).toBe(200);
    },
  );

  it('is refused where there is no source, and when it is none of Alertmanager', async () => {
    await start(prometheus());
    const other = `${server.url}/roster/v1/${station.replace(/t$/, 'other')}`;
    await fetch(other, { method: 'PUT' });
    const headers = { 'Content-Type': 'application/json' };
    const post = (url: string, body: string) =>
      fetch(`${url}/alertmanager`, { method: 'POST', headers, body });
    expect((await post(other, '{"alerts":[]}')).status).toBe(409);
    expect((await post(`${other}-none`, '{"alerts":[]}')).status).toBe(404);
    for (const wrong of [
      '{}',
      '[]',
      '{"alerts":[{}]}',
      '{"alerts":[{"status":"firing","labels":{"a":1}}]}',
    ]) {
      const refused = await server.manage('/alertmanager', { method: 'POST', headers, body: wrong });
      expect([wrong, refused.status]).toEqual([wrong, 400]);
    }
  });
});
