import type { TrendPoint } from '@roster/client';
import { expect, it } from 'vitest';
import { byTone, shownTones, trendShapes } from './trend-shapes.ts';

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
  const { top, alerts, known } = trendShapes([
    point({ ALERTSTATE_FIRING: 30, ALERTSTATE_PENDING: 10, ALERTSTATE_INACTIVE: 900 }),
    unknown,
    point({ ALERTSTATE_ODD: 10, ALERTSTATE_STRANGE: 10 }),
  ]);
  expect(top).toBe(40);
  expect(bars(known).map(([at]) => at)).toEqual([0, 2]);
  expect(bars(alerts.firing)).toEqual([[0, 71]]);
  expect(bars(alerts.pending)).toEqual([[0, 24]]);
  expect(bars(alerts.other)).toEqual([[2, 47]]);
});

it('shows one among many', () => {
  const { alerts } = trendShapes([point({ ALERTSTATE_FIRING: 1 }), point({ ALERTSTATE_FIRING: 100_000 })]);
  expect(bars(alerts.firing)[0]).toEqual([0, 3]);
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
    [1, 97],
    [2, 3],
  ]);
  expect(bars(uncovered)).toEqual([
    [1, 3],
    [2, 97],
    [3, 100],
  ]);
});

it('counts states by what they mean', () => {
  const others = { ALERTSTATE_A: 3, ALERTSTATE_B: 4, ALERTSTATE_SUPPRESSED: 5 };
  const states = { ALERTSTATE_FIRING: 1, ALERTSTATE_INACTIVE: 2, ...others };
  expect(byTone(states)).toEqual({ firing: 1, pending: 0, other: 7, suppressed: 5 });
  expect(shownTones([point({ ALERTSTATE_SUPPRESSED: 1 })])).toEqual(['firing', 'pending', 'suppressed']);
});
