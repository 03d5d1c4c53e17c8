import { expect, it } from 'vitest';
import { ageOf } from './age.ts';

const now = Date.parse('2026-03-10T12:00:00Z');

it.each([
  ['2026-03-10T11:59:01Z', { unit: 'now' }],
  ['2026-03-10T11:59:00.000Z', { unit: 'minutes', count: 1 }],
  ['2026-03-10T08:59:59Z', { unit: 'hours', count: 3 }],
  ['2026-03-08T12:00:01Z', { unit: 'hours', count: 47 }],
  ['2026-03-08T12:00:00Z', { unit: 'days', count: 2 }],
  ['2026-03-10T12:05:00Z', { unit: 'now' }],
])('tells how long ago %s was, even if the clocks differ', (time, age) => {
  expect(ageOf(time, now)).toEqual(age);
});
