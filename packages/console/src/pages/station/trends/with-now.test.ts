import type { TrendPoint, Trends } from '@roster/client';
import { expect, it } from 'vitest';
import { withNow } from './with-now.ts';

const point = (time: string, firing: number, peak: number): TrendPoint => ({
  time,
  hours: 1,
  total: 10,
  alertable: 10,
  covered: 9,
  uncovered: 1,
  states: { ALERTSTATE_FIRING: firing },
  peaks: { ALERTSTATE_FIRING: peak },
});
const trends: Trends = {
  step: 'hour',
  points: [point('2026-01-31T07:00:00Z', 2, 9), point('2026-01-31T08:00:00Z', 3, 4)],
};
const now = (firing: number, time = '2026-01-31T08:30:00Z') => ({
  states: { ALERTSTATE_FIRING: firing, ALERTSTATE_PENDING: 1 },
  atMs: Date.parse(time),
});
const peaksOf = ({ points }: Trends) => points.map(({ peaks }) => peaks);

it('raises the peak of the current hour to what the page shows', () => {
  expect(peaksOf(withNow(trends, now(6)))).toEqual([
    { ALERTSTATE_FIRING: 9 },
    { ALERTSTATE_FIRING: 6, ALERTSTATE_PENDING: 1 },
  ]);
  expect(peaksOf(withNow(trends, now(1)))[1]).toEqual({ ALERTSTATE_FIRING: 4, ALERTSTATE_PENDING: 1 });
  expect(withNow(trends, now(6)).points[1]!.states).toEqual({ ALERTSTATE_FIRING: 3 });
});

it('leaves an hour alone that it knows nothing of', () => {
  expect(withNow(trends, undefined)).toEqual(trends);
  expect(withNow(trends, now(6, '2026-01-31T07:59:59Z'))).toEqual(trends);
  const unknown = { ...point('2026-01-31T09:00:00Z', 0, 0), hours: 0, states: null, peaks: null };
  const later = { ...trends, points: [...trends.points, unknown] };
  expect(withNow(later, now(6, '2026-01-31T09:10:00Z'))).toEqual(later);
});
