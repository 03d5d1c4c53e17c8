import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RowWindow } from './row-window.ts';

const total = fc.integer({ min: 1, max: 5_000_000 });
const rowHeight = fc.constantFrom(32, 44);
const height = fc.integer({ min: 100, max: 2_000 });

describe('a window on rows', () => {
  it('shows the first row at the beginning and the last one at the end, however many there are', () => {
    fc.assert(
      fc.property(total, rowHeight, height, (count, each, viewHeight) => {
        const rows = new RowWindow(count, each);
        expect(rows.rows({ scrollTop: 0, height: viewHeight }).first).toBe(0);
        const end = Math.max(0, rows.scrollHeight - viewHeight);
        expect(rows.rows({ scrollTop: end, height: viewHeight }).last).toBe(count - 1);
      }),
    );
  });

  it('scrolls any row completely into view', () => {
    fc.assert(
      fc.property(total, rowHeight, height, fc.nat(), (count, each, viewHeight, seed) => {
        const rows = new RowWindow(count, each);
        const row = seed % count;
        const scrollTop = rows.scrollTo(row, { scrollTop: 0, height: viewHeight });
        const top = rows.top(row, { scrollTop, height: viewHeight }) - scrollTop;
        expect(top).toBeGreaterThanOrEqual(-0.01);
        expect(top + each).toBeLessThanOrEqual(viewHeight + 0.01);
      }),
    );
  });

  it('stays where it is when the row is in view', () => {
    const rows = new RowWindow(1_000_000, 32);
    const viewport = { scrollTop: 5_000_000, height: 640 };
    const { first } = rows.rows(viewport);
    expect(rows.scrollTo(first + 5, viewport)).toBe(viewport.scrollTop);
  });

  it('lays rows out one by one while there is room for all', () => {
    const rows = new RowWindow(100_000, 32);
    expect(rows.scrollHeight).toBe(3_200_000);
    expect(rows.top(70_000, { scrollTop: 2_000_000, height: 640 })).toBe(2_240_000);
  });
});
