import { expect, it } from 'vitest';
import { parseRelative, resolveTimes, restoreTimes } from './relative-time.ts';

const nowMs = Date.parse('2026-03-10T12:00:00.000Z');

it('moves with the clock until it is asked for', () => {
  const given = { states: ['firing'], stateSinceAfter: 'now-1h', createdBefore: 'now-2d' };
  const resolved = resolveTimes(given, nowMs);
  expect(resolved).toEqual({
    states: ['firing'],
    stateSinceAfter: '2026-03-10T11:00:00.000Z',
    createdBefore: '2026-03-08T12:00:00.000Z',
  });
  expect(restoreTimes(resolved, given, resolved)).toEqual(given);
  const other = { stateSinceAfter: '2026-03-01T00:00:00Z' };
  expect(restoreTimes(other, given, resolved)).toEqual(other);
});

it('leaves everything else to the server', () => {
  const given = { stateSinceAfter: 'yesterday' };
  expect(resolveTimes(given, nowMs)).toBe(given);
  expect(['now', 'now-1y', 'now-h', 'now+1h'].map(parseRelative)).toEqual(Array(4).fill(undefined));
});
