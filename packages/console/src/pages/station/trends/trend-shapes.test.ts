import type { TrendPoint } from '@roster/client';
import { expect, it } from 'vitest';
import { byTone, peakOf, shownTones, trendShapes } from './trend-shapes.ts';

const unknown: TrendPoint = {
  time: '2026-01-15T00:00:00.000Z',
  hours: 0,
  total: null,
  alertable: null,
  covered: null,
  uncovered: null,
  states: null,
  peaks: null,
};

function point(peaks: Record<string, number>, covered = 10, alertable = 10): TrendPoint {
  const figures = { total: alertable, alertable, covered, uncovered: alertable - covered };
  return { ...unknown, hours: 1, ...figures, states: {}, peaks };
}

/** The column and height of each bar of a path. */
const bars = (path: string) =>
  [...path.matchAll(/M([\d.]+) ([\d.]+)h[\d.]+V([\d.]+)/g)].map(([, x, from, to]) => [
    Math.floor(Number(x)),
    Math.round(Number(from) - Number(to)),
  ]);

it('stacks what was the most in each state, and leaves out where nothing is known', () => {
  const { stacked, known } = trendShapes([
    point({ ALERTSTATE_PENDING: 30, ALERTSTATE_SUPPRESSED: 10, ALERTSTATE_INACTIVE: 900 }),
    unknown,
    point({ ALERTSTATE_ODD: 10, ALERTSTATE_STRANGE: 10 }),
  ]);
  expect(stacked.top).toBe(40);
  expect(bars(known).map(([at]) => at)).toEqual([0, 2]);
  expect(bars(stacked.pending)).toEqual([[0, 69]]);
  expect(bars(stacked.suppressed)).toEqual([[0, 23]]);
  expect(bars(stacked.other)).toEqual([[2, 46]]);
});

it('shows the most that fired beside what was left of it, whatever else there was', () => {
  const others = { ALERTSTATE_PENDING: 100_000 };
  const points = [
    { ...point({ ALERTSTATE_FIRING: 40, ...others }), states: { ALERTSTATE_FIRING: 10 } },
    { ...point({ ALERTSTATE_FIRING: 20, ...others }), states: {} },
    { ...point(others), states: {} },
  ];
  const { firing } = trendShapes(points);
  expect(firing.top).toBe(40);
  expect(bars(firing.last)).toEqual([[0, 23]]);
  expect(bars(firing.peak)).toEqual([
    [0, 69],
    [1, 46],
  ]);
  expect(bars(firing.mark).map(([at]) => at)).toEqual([0, 1]);
  expect(peakOf(points)).toBe(points[0]);
  expect(peakOf(points.slice(2))).toBeUndefined();
});

it('shows one among many', () => {
  const { firing } = trendShapes([point({ ALERTSTATE_FIRING: 1 }), point({ ALERTSTATE_FIRING: 100_000 })]);
  expect(bars(firing.peak)[0]).toEqual([0, 4]);
});

it('shows coverage as full only where all are covered', () => {
  const { covered, uncovered } = trendShapes([
    point({}),
    point({}, 99_999, 100_000),
    point({}, 1, 100_000),
    point({}, 0, 5),
    point({}, 0, 0),
  ]);
  expect(bars(covered)).toEqual([
    [0, 100],
    [1, 96],
    [2, 4],
  ]);
  expect(bars(uncovered)).toEqual([
    [1, 4],
    [2, 96],
    [3, 100],
  ]);
});

it('counts states by what they mean', () => {
  const others = { ALERTSTATE_A: 3, ALERTSTATE_B: 4, ALERTSTATE_SUPPRESSED: 5 };
  const states = { ALERTSTATE_FIRING: 1, ALERTSTATE_INACTIVE: 2, ...others };
  expect(byTone(states)).toEqual({ firing: 1, pending: 0, other: 7, suppressed: 5 });
  expect(shownTones([point({ ALERTSTATE_SUPPRESSED: 1 })])).toEqual(['firing', 'pending', 'suppressed']);
});
