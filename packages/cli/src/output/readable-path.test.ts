import { parseStationAddress } from '@roster/client';
import { expect, it } from 'vitest';
import { readablePath } from './readable-path.ts';

const encoded = (names: readonly string[]) => names.map(encodeURIComponent).join('/');

it.each([
  [['a/b', 'ü', 'zone 1', '节点'], 'a%2Fb/ü/zone 1/节点'],
  [[' a ', '100%', 'b\n', '\u202ec'], '%20a%20/100%25/b%0A/%E2%80%AEc'],
  [['a\u00a0b', '%2F', 'a?b#c', '\0'], 'a%C2%A0b/%252F/a?b#c/%00'],
  [['%2A', 'a  b', '👍🏽', 'x\u200d'], '%252A/a  b/👍🏽/x%E2%80%8D'],
])('shows %j in a form that people can read and commands accept', (names, shown) => {
  expect(readablePath(encoded(names))).toBe(shown);
  const { subscription, resourceGroup, zone, name } = parseStationAddress(shown);
  expect([subscription, resourceGroup, zone, name]).toEqual(names);
});

it('keeps apart the stars of a scope and those of a name', () => {
  expect(readablePath('subscriptions/%C3%BC%2A/**')).toBe('subscriptions/ü%2A/**');
});
