import fc from 'fast-check';
import { expect, it } from 'vitest';
import { paintWith, plain } from '../terminal/paint.ts';
import { textWidth } from '../terminal/text-width.ts';
import { fitWidths, renderTable } from './table.ts';

const cells = (...texts: string[]) => texts.map((text) => ({ text }));

it('aligns columns, numbers on the right, by what a terminal shows', () => {
  const rows = [cells('gpu-node', '4'), cells('裸金属', '12')];
  expect(renderTable(rows, { headers: ['NAME', 'RULES'], isRight: [false, true], paint: plain })).toBe(
    ['NAME      RULES', 'gpu-node      4', '裸金属       12', ''].join('\n'),
  );
});

it('narrows the widest columns first', () => {
  expect(fitWidths([10, 40, 30], 60)).toEqual([10, 23, 23]);
  expect(fitWidths([10, 20], 60)).toEqual([10, 20]);
});

it('keeps the first column readable, and leaves out the last ones for it', () => {
  expect(fitWidths([25, 8, 14, 16, 16], 60)).toEqual([25, 8, 10, 10]);
  expect(fitWidths([40, 30, 30], 36)).toEqual([36]);
});

it('leaves out spare columns before it narrows others', () => {
  const headers = ['NAME', 'SKU', 'MODEL', 'ID'];
  const rows = [cells('gpu-node-1', '8 GPU', 'H100-SXM-80GB', 'res-1234567890')];
  const table = (maxWidth: number) =>
    renderTable(rows, { headers, isRight: [], isSpare: [false, true, true], maxWidth, paint: plain }).split(
      '\n',
    )[1];
  expect(table(48)).toBe('gpu-node-1  8 GPU  H100-SXM-80GB  res-1234567890');
  expect(table(47)).toBe('gpu-node-1  8 GPU  res-1234567890');
  expect(table(32)).toBe('gpu-node-1  res-1234567890');
  expect(table(25)).toBe('gpu-node-1  res-12345678…');
});

it('paints the text and not the space beside it', () => {
  const rows = [[{ text: 'FIRING', style: 'alarm' as const }, { text: 'x' }]];
  const table = renderTable(rows, { headers: ['STATE', ''], isRight: [], paint: paintWith });
  expect(table).toContain('\x1b[1;31mFIRING\x1b[0m  x');
});

it('shows escape sequences in names instead of sending them', () => {
  const table = renderTable([cells('\x1b]0;pwned\x07')], { headers: ['NAME'], isRight: [], paint: plain });
  expect(table).toBe('NAME\n\\x1b]0;pwned\\x07\n');
});

it('keeps every line within the given width, for any cells', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 60 });
  const row = fc.tuple(text, text, text, text).map((texts) => cells(...texts));
  fc.assert(
    fc.property(fc.array(row, { minLength: 1 }), fc.integer({ min: 20, max: 120 }), (rows, maxWidth) => {
      const headers = ['A', 'B', 'C', 'D'];
      const table = renderTable(rows, { headers, isRight: [false, true], maxWidth, paint: plain });
      const lines = table.split('\n');
      expect(lines).toHaveLength(rows.length + 2);
      for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(maxWidth);
    }),
  );
});
