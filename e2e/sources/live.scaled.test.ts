import { expect } from 'vitest';
import { longOnly } from '../../testing/scale.ts';
import { startServer } from '../testing/start-server.ts';
import { Station } from '../testing/station.ts';
import { monitoringNote, withMonitoring } from './testing/monitoring-program.ts';
import { statesInList, statesInMonitoring, type WatchedHosts, watchHosts } from './testing/watched-hosts.ts';

const inTime = { timeout: 60_000, interval: 200 };

/** Waits until the list shows the state, and then compares all of it with the monitoring. */
async function expectState(watched: WatchedHosts, host: string, state: string): Promise<void> {
  await expect.poll(async () => (await statesInList(watched))[host], inTime).toBe(`ALERTSTATE_${state}`);
  const isSame = async () =>
    JSON.stringify(await statesInList(watched)) === JSON.stringify(await statesInMonitoring(watched));
  await expect.poll(isSame, inTime).toBe(true);
}

/** For some polls the list must not change. */
async function expectUnchanged(watched: WatchedHosts, before: Record<string, string>): Promise<void> {
  const until = performance.now() + 4_000;
  while (performance.now() < until) expect(await statesInList(watched)).toEqual(before);
}

async function healthOf({ server }: WatchedHosts, name: string): Promise<string | undefined> {
  const { sources } = (await (await server.fetch('/roster/v1/sources')).json()) as {
    sources: { name: string; health: string }[];
  };
  return sources.find((source) => source.name === name)?.health;
}

/** The sources that tell the firing alerts of a host. */
async function tellersOf({ server, station }: WatchedHosts, host: string): Promise<string[]> {
  const response = await server.fetch(`/roster/v1${station.path}/resources/id-${host}/alerts`);
  const { alerts } = (await response.json()) as { alerts: { state: string; sources: string[] }[] };
  return alerts.filter(({ state }) => state === 'firing').flatMap(({ sources }) => sources);
}

withMonitoring(`shows what fires and what is resolved, with its rules${monitoringNote}`, async () => {
  const watched = await watchHosts();
  const { exporter, station } = watched;
  await expectState(watched, 'vm-1', 'INACTIVE');
  exporter.set('host_up{host="vm-1"}', 0);
  await expectState(watched, 'vm-1', 'FIRING');
  const countOf = async (name: string) =>
    (await station.list()).resources.find((resource) => resource.name === name)?.alert_rules_count;
  await expect.poll(() => countOf('vm-2'), inTime).toBe(3);
  exporter.set('host_up{host="vm-1"}', 1);
  await expectState(watched, 'vm-1', 'INACTIVE');
});

longOnly(withMonitoring)(
  `follows alerts that pend, fire, are silenced, inhibited and resolved${monitoringNote}`,
  async () => {
    const watched = await watchHosts();
    const { exporter, alertmanager, station } = watched;
    exporter.set('host_celsius{host="vm-1"}', 90);
    await expect.poll(async () => (await statesInList(watched))['vm-1'], inTime).toBe('ALERTSTATE_PENDING');
    await expectState(watched, 'vm-1', 'FIRING');

    exporter.set('host_up{host="vm-2"}', 0);
    await expectState(watched, 'vm-2', 'FIRING');
    const { silenceID } = await alertmanager.post<{ silenceID: string }>('/api/v2/silences', {
      matchers: [{ name: 'host', value: 'vm-2', isRegex: false }],
      startsAt: new Date().toISOString(),
      endsAt: new Date(Date.now() + 3_600_000).toISOString(),
      createdBy: 'ann',
      comment: 'new disk',
    });
    await expectState(watched, 'vm-2', 'SUPPRESSED');
    const answer = await watched.server.fetch(`/roster/v1${station.path}/resources/id-vm-2/alerts`);
    expect(await answer.json()).toMatchObject({
      alerts: [
        { state: 'suppressed', silences: [{ id: silenceID, created_by: 'ann', comment: 'new disk' }] },
      ],
    });
    await alertmanager.delete(`/api/v2/silence/${silenceID}`);
    await expectState(watched, 'vm-2', 'FIRING');

    exporter.set('host_celsius{host="vm-3"}', 90);
    await expectState(watched, 'vm-3', 'FIRING');
    exporter.set('host_up{host="vm-3"}', 0);
    await expect
      .poll(async () => {
        const response = await watched.server.fetch(`/roster/v1${station.path}/resources/id-vm-3/alerts`);
        const { alerts } = (await response.json()) as { alerts: { state: string; inhibited_by: string[] }[] };
        return alerts.map(({ state, inhibited_by }) => `${state} ${inhibited_by.length}`).sort();
      }, inTime)
      .toEqual(['firing 0', 'suppressed 1']);
    await expectState(watched, 'vm-3', 'FIRING');

    for (const host of ['vm-1', 'vm-2', 'vm-3']) {
      exporter.set(`host_up{host="${host}"}`, 1);
      exporter.set(`host_celsius{host="${host}"}`, 40);
    }
    for (const host of ['vm-1', 'vm-2', 'vm-3']) await expectState(watched, host, 'INACTIVE');
  },
);

longOnly(withMonitoring)(
  `keeps what is known while either is killed, and goes on after a start${monitoringNote}`,
  async () => {
    const watched = await watchHosts();
    const { exporter, prometheus, alertmanager } = watched;
    exporter.set('host_up{host="vm-1"}', 0);
    exporter.set('host_celsius{host="vm-2"}', 90);
    await expectState(watched, 'vm-1', 'FIRING');
    await expectState(watched, 'vm-2', 'FIRING');
    // Alertmanager may have been faster, and forgets soon what Prometheus does not repeat.
    await expect.poll(() => tellersOf(watched, 'vm-2'), inTime).toContain('prom');
    const before = await statesInList(watched);

    await prometheus.kill();
    await expect.poll(() => healthOf(watched, 'prom'), inTime).toBe('down');
    await expectUnchanged(watched, before);
    exporter.set('host_up{host="vm-3"}', 0);
    await prometheus.start();
    await expectState(watched, 'vm-3', 'FIRING');
    expect((await statesInList(watched))['vm-1']).toBe('ALERTSTATE_FIRING');

    await alertmanager.kill();
    await expect.poll(() => healthOf(watched, 'am'), inTime).toBe('down');
    exporter.set('host_up{host="vm-1"}', 1);
    // What only the Alertmanager could say stays; what Prometheus says of others goes on.
    await expect.poll(async () => (await statesInList(watched))['vm-3'], inTime).toBe('ALERTSTATE_FIRING');
    await alertmanager.start();
    await expect.poll(() => healthOf(watched, 'am'), inTime).toBe('up');
    await expectState(watched, 'vm-1', 'INACTIVE');
    await expectState(watched, 'vm-3', 'FIRING');
  },
);

longOnly(withMonitoring)(
  `moves no state and no state_since because Prometheus is killed and started${monitoringNote}`,
  async () => {
    const watched = await watchHosts({ resendDelay: '20s' });
    const { exporter, prometheus, alertmanager, server, station } = watched;
    const answer = async <T>(path: string) =>
      (await (await server.fetch(`/roster/v1${station.path}${path}`)).json()) as T;
    // For the second host, the rule has a `for`, so that a Prometheus that has just started says it is pending.
    await alertmanager.post('/api/v2/silences', {
      matchers: [{ name: 'host', value: 'vm-2', isRegex: false }],
      startsAt: new Date().toISOString(),
      endsAt: new Date(Date.now() + 3_600_000).toISOString(),
      createdBy: 'ann',
      comment: 'new disk',
    });
    exporter.set('host_up{host="vm-1"}', 0);
    for (const host of ['vm-2', 'vm-3']) exporter.set(`host_celsius{host="${host}"}`, 90);
    await expectState(watched, 'vm-1', 'FIRING');
    await expectState(watched, 'vm-2', 'SUPPRESSED');
    await expectState(watched, 'vm-3', 'FIRING');
    const revision = async () => (await answer<{ revision: string }>('')).revision;
    // The rule counts of new rules come after the states.
    const counts = async () =>
      (await station.list()).resources.map((resource) => resource.alert_rules_count).join();
    await expect.poll(counts, inTime).toBe('3,3,3,3');
    const before = await revision();

    await prometheus.kill();
    await expect.poll(() => healthOf(watched, 'prom'), inTime).toBe('down');
    await prometheus.start();
    const isPending = async (host: string) => {
      const { data } = await prometheus.get<{
        data: { alerts: { labels: { host: string }; state: string }[] };
      }>('/api/v1/alerts');
      return data.alerts.some(({ labels, state }) => labels.host === host && state === 'pending');
    };
    await expect.poll(() => isPending('vm-2'), { timeout: 60_000, interval: 50 }).toBe(true);
    await expect.poll(() => isPending('vm-2'), inTime).toBe(false);
    await expect.poll(() => healthOf(watched, 'prom'), inTime).toBe('up');
    await expectUnchanged(watched, await statesInList(watched));
    expect(await revision()).toBe(before);

    const managed =
      await alertmanager.get<{ labels: { host?: string }; startsAt: string }[]>('/api/v2/alerts');
    for (const host of ['vm-1', 'vm-2', 'vm-3']) {
      const { alerts } = await answer<{ alerts: { since: string }[] }>(`/resources/id-${host}/alerts`);
      const { startsAt } = managed.find(({ labels }) => labels.host === host)!;
      expect(alerts.map(({ since }) => since)).toEqual([startsAt]);
    }
  },
);

longOnly(withMonitoring)(
  `knows after a kill of its own what a source said that is down${monitoringNote}`,
  async () => {
    const watched = await watchHosts();
    const { exporter, prometheus, server } = watched;
    exporter.set('host_up{host="vm-1"}', 0);
    await expectState(watched, 'vm-1', 'FIRING');
    await prometheus.kill();
    await server.process.kill();
    const again = await startServer({ data: server.data, environment: watched.environment });
    const revived = { ...watched, server: again, station: new Station(again, watched.station.path) };
    await expect.poll(() => healthOf(revived, 'prom'), inTime).toBe('down');
    const before = await statesInList(revived);
    expect(before['vm-1']).toBe('ALERTSTATE_FIRING');
    await expectUnchanged(revived, before);
    await prometheus.start();
    exporter.set('host_up{host="vm-1"}', 1);
    await expectState(revived, 'vm-1', 'INACTIVE');
  },
);

longOnly(withMonitoring)(
  `takes the webhook of a real Alertmanager, groups and repetitions, fired and resolved${monitoringNote}`,
  async () => {
    // Prometheus is polled so seldom that only the webhook can be as fast.
    const watched = await watchHosts({ interval: '1h', isPushed: true });
    const { exporter } = watched;
    await expect.poll(() => healthOf(watched, 'prom'), inTime).toBe('up');
    const stateOf = async (host: string) => (await statesInList(watched))[host];
    exporter.set('host_up{host="vm-1"}', 0);
    exporter.set('host_up{host="vm-2"}', 0);
    await expect.poll(() => stateOf('vm-1'), inTime).toBe('ALERTSTATE_FIRING');
    await expect.poll(() => stateOf('vm-2'), inTime).toBe('ALERTSTATE_FIRING');
    exporter.set('host_up{host="vm-1"}', 1);
    await expect.poll(() => stateOf('vm-1'), inTime).toBe('ALERTSTATE_INACTIVE');
    expect(await stateOf('vm-2')).toBe('ALERTSTATE_FIRING');
    expect(await tellersOf(watched, 'vm-2')).toEqual(['webhook']);
  },
);
