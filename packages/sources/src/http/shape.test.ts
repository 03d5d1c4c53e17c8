import { expect, it } from 'vitest';
import { timeIn } from './shape.ts';
import { SourceFailure } from './source-failure.ts';

it('takes times of years with four digits only, which every answer can hold', () => {
  expect(timeIn('2026-01-31T08:00:00.123456789Z', 'activeAt')).toBe(Date.UTC(2026, 0, 31, 8, 0, 0, 123));
  expect(timeIn('0001-01-01T00:00:00Z', 'endsAt')).toBeLessThan(0);
  for (const odd of ['-271821-04-20T00:00:00.000Z', '0000-01-01T00:00:00+23:00', '+010000-01-01T00:00:00Z']) {
    expect(() => timeIn(odd, 'activeAt')).toThrow(SourceFailure);
  }
});
