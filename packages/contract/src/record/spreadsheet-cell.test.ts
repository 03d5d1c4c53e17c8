import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { neutraliseCell, restoreCell } from './spreadsheet-cell.ts';

const cell = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠', 'a') }),
);

describe('neutraliseCell', () => {
  it('makes a cell that no spreadsheet executes, and restoreCell takes it back', () => {
    fc.assert(
      fc.property(cell, (text) => {
        expect(neutraliseCell(text)).not.toMatch(/^[=+\-@\t\r＝＋－＠]/);
        expect(restoreCell(neutraliseCell(text))).toBe(text);
      }),
    );
  });

  it.each([
    ['=1+1', "'=1+1"],
    ["'=1", "''=1"],
    ['-5', "'-5"],
    ['＠x', "'＠x"],
    ["'quoted'", "'quoted'"],
    ['', ''],
    ['a=b', 'a=b'],
  ])('turns %j into %j', (text, neutral) => {
    expect(neutraliseCell(text)).toBe(neutral);
  });
});

describe('restoreCell', () => {
  it('leaves alone what was never neutralised', () => {
    for (const text of ['=1', 'a', "'a", "''", '']) expect(restoreCell(text)).toBe(text);
  });
});
