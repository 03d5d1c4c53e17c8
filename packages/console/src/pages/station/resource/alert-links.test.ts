import type { Alert, Source } from '@roster/client';
import { expect, it } from 'vitest';
import { managerLinks, silenceLink, webUrl } from './alert-links.ts';

const alert: Alert = {
  fingerprint: 'f',
  state: 'suppressed',
  since: '2026-01-01T00:00:00Z',
  labels: { alertname: 'Down', path: '"a"' },
  annotations: {},
  silences: [],
  inhibited_by: [],
  sources: ['prom', 'am', 'webhook'],
};
const source = (name: string, kind: Source['kind'], url: string) =>
  ({ name, kind, urls: [url] }) as unknown as Source;
const sources = [
  source('prom', 'prometheus', 'http://prom.test'),
  source('am', 'alertmanager', 'https://am.test/x'),
  source('other', 'alertmanager', 'https://other.test'),
];

it('leads to the Alertmanagers that tell an alert, and to its silences', () => {
  const filter = encodeURIComponent('{alertname="Down",path="\\"a\\""}');
  expect(managerLinks(alert, sources)).toEqual([
    { name: 'am', href: `https://am.test/x/#/alerts?filter=${filter}` },
  ]);
  expect(silenceLink(alert, 's/1', sources)).toBe('https://am.test/x/#/silences/s%2F1');
  expect(silenceLink(alert, 's', [])).toBeUndefined();
});

it.each(['javascript:alert(1)', 'data:text/html,x', '/relative', 'ftp://a.test', ''])(
  'follows no %s',
  (text) => {
    expect(webUrl(text)).toBeUndefined();
  },
);

it('follows http and https', () => {
  expect([webUrl('http://a.test/x'), webUrl('HTTPS://a.test')]).toEqual([
    'http://a.test/x',
    'https://a.test/',
  ]);
});
