import { expect, it } from 'vitest';
import { doubtsOf } from './doubts.ts';

const source = {
  kind: 'prometheus',
  stations: ['east'],
  health: 'down',
  last_read: '2026-11-18T04:00:00Z',
} as const;
const east = (...sources: Parameters<typeof doubtsOf>[0]) => doubtsOf(sources).get('east');

it('doubts stations of sources that do not answer, as of the one that was read first', () => {
  expect(doubtsOf([{ ...source, health: 'up' }]).size).toBe(0);
  expect([...doubtsOf([source]).keys()]).toEqual(['east']);
  const earlier = { ...source, last_read: '2026-11-18T03:00:00Z' };
  expect(east(source, earlier, source)).toEqual({ readAt: earlier.last_read, areRulesUnread: false });
});

it('knows nothing of a station while one of its sources was never read, and of its rules without Prometheus', () => {
  const never = { ...source, last_read: null };
  expect(east(source, never)).toEqual({ readAt: undefined, areRulesUnread: true });
  expect(east({ ...never, kind: 'alertmanager' }, source)).toEqual({
    readAt: undefined,
    areRulesUnread: false,
  });
});
