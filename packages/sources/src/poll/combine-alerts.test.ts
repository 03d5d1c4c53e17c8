import { describe, expect, it } from 'vitest';
import type { Alert } from '../alert.ts';
import { type AlertOfSource, combineAlerts, worstOf } from './combine-alerts.ts';

function alert(labels: Alert['labels'], state: Alert['state'] = 'firing', given: Partial<Alert> = {}): Alert {
  const fingerprint = JSON.stringify(labels);
  return { fingerprint, state, labels, annotations: {}, sinceMs: 1, silences: [], inhibitedBy: [], ...given };
}

const from = (kind: AlertOfSource['kind'], given: Alert, source: string = kind): AlertOfSource => ({
  source,
  kind,
  alert: given,
});
const down = { alertname: 'Down', host: 'a' };
const silence = { id: 's', createdBy: 'Ann', comment: 'x', untilMs: 9 };

describe('combineAlerts', () => {
  const combine = (...given: AlertOfSource[]) => combineAlerts(given, { knowsFiring: true });

  it('lets Alertmanager say that an alert of Prometheus is suppressed, external labels or not', () => {
    const managed = alert({ ...down, cluster: 'east' }, 'suppressed', { silences: [silence] });
    const [combined, ...others] = combine(from('prometheus', alert(down)), from('alertmanager', managed));
    expect(others).toEqual([]);
    expect(combined).toMatchObject({
      state: 'suppressed',
      silences: [silence],
      sources: ['prometheus', 'alertmanager'],
    });
  });

  it('tells many alerts of one resource apart in a moment', () => {
    const hosts = Array.from({ length: 20_000 }, (_, at) => ({ ...down, host: `h${at}` }));
    const combined = combine(
      ...hosts.map((labels) => from('prometheus', alert(labels))),
      ...hosts.map((labels) => from('alertmanager', alert({ ...labels, cluster: 'east' }, 'suppressed'))),
    );
    expect(combined).toHaveLength(hosts.length);
    expect(new Set(combined.map(({ state }) => state))).toEqual(new Set(['suppressed']));
  });

  it('names a source once that tells the same alert twice', () => {
    const [combined] = combine(from('prometheus', alert(down)), from('prometheus', alert(down)));
    expect(combined!.sources).toEqual(['prometheus']);
  });

  it('is not suppressed while one Alertmanager notifies of it', () => {
    const same = alert({ ...down, cluster: 'east' });
    const combined = combine(
      from('prometheus', alert(down)),
      from('alertmanager', { ...same, state: 'suppressed' }, 'am-1'),
      from('alertmanager', same, 'am-2'),
    );
    expect(combined.map(({ state }) => state)).toEqual(['firing']);
  });

  it('has the alerts that only one of them knows', () => {
    const other = alert({ alertname: 'Other', host: 'a' }, 'suppressed');
    const combined = combine(from('prometheus', alert(down, 'pending')), from('alertmanager', other));
    expect(combined.map(({ state }) => state)).toEqual(['pending', 'suppressed']);
  });

  it('has an alert since the first Alertmanager had it, as long as one has it', () => {
    const managed = { ...down, cluster: 'east' };
    const since = (...given: AlertOfSource[]) => combine(...given).map(({ sinceMs }) => sinceMs);
    const fired = from('prometheus', alert(down, 'firing', { sinceMs: 3 }));
    expect(since(fired)).toEqual([3]);
    expect(
      since(
        fired,
        from('alertmanager', alert(managed, 'firing', { sinceMs: 9 }), 'am-1'),
        from('alertmanager', alert(managed, 'suppressed', { sinceMs: 7 }), 'am-2'),
      ),
    ).toEqual([7]);
    const second = from('prometheus', alert(down, 'firing', { sinceMs: 2 }), 'b');
    expect(since(fired, second)).toEqual([2]);
    const alone = [8, 6].map((sinceMs) => from('alertmanager', alert(managed, 'firing', { sinceMs })));
    expect(since(...alone)).toEqual([6]);
  });

  describe('when a Prometheus that has just started says that an alert is pending', () => {
    const pending = from('prometheus', alert(down, 'pending', { sinceMs: 9 }));
    const managed = { ...down, cluster: 'east' };

    it('has it suppressed while every Alertmanager that has it suppresses it', () => {
      const given = alert(managed, 'suppressed', { sinceMs: 5, silences: [silence] });
      expect(combine(pending, from('alertmanager', given))).toMatchObject([
        { state: 'suppressed', sinceMs: 5, silences: [silence], sources: ['prometheus', 'alertmanager'] },
      ]);
      const kept = from('alertmanager', { ...given, isKept: true });
      expect(combine(pending, kept)).toMatchObject([{ state: 'suppressed' }]);
    });

    it('has it firing while an Alertmanager notifies of it', () => {
      const suppressed = from('alertmanager', alert(managed, 'suppressed', { sinceMs: 5 }), 'am-1');
      const active = from('alertmanager', alert(managed, 'firing', { sinceMs: 6 }), 'am-2');
      expect(combine(pending, suppressed, active)).toMatchObject([{ state: 'firing', sinceMs: 5 }]);
    });

    it('has it pending if no Alertmanager has heard of it again', () => {
      const kept = from('alertmanager', alert(managed, 'firing', { sinceMs: 5, isKept: true }));
      expect(combine(pending, kept)).toMatchObject([
        { state: 'pending', sinceMs: 9, sources: ['prometheus'] },
      ]);
      expect(combineAlerts([pending, kept], { knowsFiring: false })).toMatchObject([{ state: 'firing' }]);
    });
  });

  it('begins with the worst, and of these with the longest', () => {
    const given = (host: string, state: Alert['state'], sinceMs: number) =>
      from('prometheus', alert({ ...down, host }, state, { sinceMs }));
    const combined = combine(given('a', 'pending', 1), given('b', 'firing', 9), given('c', 'firing', 5));
    expect(combined.map(({ labels }) => labels.host)).toEqual(['c', 'b', 'a']);
  });

  it('takes two servers with the same rules together, and the worse of what they say', () => {
    const combined = combine(
      from('prometheus', alert(down, 'pending'), 'a'),
      from('prometheus', alert(down, 'firing'), 'b'),
    );
    expect(combined).toMatchObject([{ state: 'firing', sources: ['b', 'a'] }]);
  });

  it('keeps what a new Alertmanager has not heard again only where no Prometheus knows better', () => {
    const kept = from('alertmanager', alert(down, 'firing', { isKept: true }));
    expect(combine(kept)).toEqual([]);
    expect(combineAlerts([kept], { knowsFiring: false })).toHaveLength(1);
  });
});

describe('worstOf', () => {
  it('is the worst state, since the first alert in it', () => {
    const alerts = [
      alert(down, 'pending', { sinceMs: 1 }),
      alert(down, 'firing', { sinceMs: 7 }),
      alert(down, 'firing', { sinceMs: 5 }),
    ];
    expect(worstOf(alerts)).toEqual({ state: 'firing', sinceMs: 5 });
    expect(worstOf([alert(down, 'suppressed'), alert(down, 'pending')])?.state).toBe('pending');
    expect(worstOf([])).toBeUndefined();
  });
});

it('finds the worst of any number of alerts', () => {
  const alert = { fingerprint: 'f', labels: {}, annotations: {}, silences: [], inhibitedBy: [] };
  const many = Array.from(
    { length: 300_000 },
    (_, at) => ({ ...alert, state: 'firing', sinceMs: 5 + at }) as Alert,
  );
  expect(worstOf(many)).toEqual({ state: 'firing', sinceMs: 5 });
});
