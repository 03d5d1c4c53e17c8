import { resourceDefaults } from '@roster/contract';
import { expect, it } from 'vitest';
import type { Notification } from '../alertmanager/read-webhook.ts';
import type { TieRule } from '../config/source.ts';
import { TieIndex } from '../tie/tie-index.ts';
import { WebhookAlerts } from './webhook-alerts.ts';

const alert = (fingerprint: string) => ({
  fingerprint,
  state: 'firing' as const,
  labels: { alertname: fingerprint },
  annotations: {},
  sinceMs: 0,
  silences: [],
  inhibitedBy: [],
});
const firing = (...names: string[]): Notification => ({
  firing: names.map(alert),
  resolved: [],
  isTruncated: false,
});
const resolved = (...names: string[]): Notification => ({
  firing: [],
  resolved: names.map((name) => ({ ...alert(name), endedAtMs: 1 })),
  isTruncated: false,
});

it('gives up notifications once later ones have said something on all of their alerts', () => {
  const webhook = new WebhookAlerts();
  expect(webhook.add('s', '1', firing('a', 'b'))).toEqual([]);
  expect(webhook.add('s', '2', firing('a'))).toEqual([]);
  expect(webhook.add('s', '3', resolved('b'))).toEqual(['1']);
  expect(webhook.add('s', '4', firing('a', 'b')).toSorted()).toEqual(['2', '3']);
  expect([webhook.countOf('s'), webhook.has('1'), webhook.has('4')]).toEqual([2, true, true]);
  webhook.forget(['1', '2', '3']);
  expect([webhook.countOf('s'), webhook.has('1'), webhook.has('4')]).toEqual([2, false, true]);
});

it('keeps no more than the last word, however often it is repeated', () => {
  const webhook = new WebhookAlerts();
  const kept = new Set<string>();
  for (let at = 1000; at < 3000; at++) {
    kept.add(String(at));
    for (const id of webhook.add('s', String(at), firing(`alert-${at % 10}`))) kept.delete(id);
  }
  expect([kept.size, webhook.countOf('s')]).toEqual([10, 10]);
});

it('gives up at once what is older than what it knows, or says nothing', () => {
  const webhook = new WebhookAlerts();
  webhook.add('s', '5', resolved('a'));
  expect(webhook.add('s', '4', firing('a'))).toEqual(['4']);
  expect(webhook.add('s', '6', firing())).toEqual(['6']);
  expect(webhook.add('s', '5', firing('z'))).toEqual([]);
  expect(webhook.countOf('s')).toBe(1);
});

it('forgets what a reading of all sources knows better', () => {
  const webhook = new WebhookAlerts();
  webhook.add('s', '1', firing('a'));
  webhook.add('t', '2', firing('a'));
  expect(webhook.seenBefore('s', Date.now() - 1_000)).toEqual([]);
  const seen = webhook.seenBefore('s', Date.now() + 1_000);
  expect(seen).toEqual(['1']);
  webhook.forget(seen);
  expect([webhook.countOf('s'), webhook.countOf('t')]).toEqual([0, 1]);
});

it('adds to what Prometheus says, but not to what an Alertmanager says itself', () => {
  const webhook = new WebhookAlerts();
  webhook.add('s', '1', firing('a'));
  const rules: TieRule[] = [{ labels: ['alertname'], to: ['name'], stripPort: false }];
  const index = new TieIndex(rules);
  index.put({ ...resourceDefaults, resourceId: 'r', name: 'a', displayName: 'a', typeKey: 'x' });
  webhook.tie('s', index, rules);
  const told = (kind: 'prometheus' | 'alertmanager') =>
    webhook.apply('s', 'r', [{ source: kind, kind, alert: { ...alert('a'), state: 'pending' } }]);
  expect(told('prometheus').map(({ source }) => source)).toEqual(['prometheus', 'webhook']);
  expect(told('alertmanager').map(({ source }) => source)).toEqual(['alertmanager']);
});
