import type { Source } from '@roster/client';
import { expect, it } from 'vitest';
import { countUntied } from './count-untied.ts';

const source = (kind: Source['kind'], stations: readonly string[], unmatched: number, ambiguous = 0) => ({
  kind,
  stations,
  alerts: { total: 100, tied: 100 - unmatched - ambiguous, unmatched, ambiguous },
});

it('counts an alert once that both Prometheus and Alertmanager tell of', () => {
  expect(countUntied([])).toBe(0);
  expect(countUntied([source('prometheus', ['east'], 1), source('alertmanager', ['east'], 1)])).toBe(1);
  expect(countUntied([source('prometheus', ['east'], 1, 2), source('alertmanager', ['east'], 1)])).toBe(3);
});

it('adds up what differs: stations that share no source, and sources of the same kind', () => {
  expect(countUntied([source('prometheus', ['east'], 1), source('alertmanager', ['west'], 1)])).toBe(2);
  expect(countUntied([source('prometheus', ['east'], 1), source('prometheus', ['east'], 2)])).toBe(3);
});

it('counts an Alertmanager of many stations against the sum of their Prometheus', () => {
  const sources = [
    source('prometheus', ['east'], 2),
    source('prometheus', ['west'], 3),
    source('alertmanager', ['east', 'west'], 4),
    source('prometheus', ['north'], 1),
  ];
  expect(countUntied(sources)).toBe(6);
  expect(countUntied(sources.toReversed())).toBe(6);
});
