import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatShare,
  renderBar,
} from '../terminal/format-numbers.ts';
import { renderProgress } from '../terminal/progress.ts';
import { csvLine } from './csv.ts';
import { jsonText } from './json.ts';
import { yamlDocument, yamlItem } from './yaml.ts';

describe('YAML', () => {
  it('is read back as the same value, by the rules of either version', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const expected = JSON.parse(JSON.stringify(value));
        for (const version of ['1.1', '1.2'] as const) {
          expect(parse(yamlDocument(value), { version })).toEqual(expected);
        }
      }),
    );
  });

  it('keeps texts that look like something else', () => {
    const values = ['true', 'No', 'null', '', '1', '-', '2026-01-31', '~', 'a: b', '# c', ' d ', '0x1f'];
    expect(parse(yamlDocument(values))).toEqual(values);
  });

  it('makes a list of items', () => {
    expect(parse([{ a: 1, b: { c: [] } }, 'x', [1, [2]]].map(yamlItem).join(''))).toEqual([
      { a: 1, b: { c: [] } },
      'x',
      [1, [2]],
    ]);
  });
});

describe('JSON', () => {
  it('keeps the value and contains nothing that a terminal obeys', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(JSON.parse(jsonText(text))).toBe(text);
        expect(jsonText(text)).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202a-\u202e]/);
      }),
    );
  });
});

describe('CSV', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ["'=1", "''=1"],
    ['-5', "'-5"],
    ['＝1', "'＝1"],
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    [' blank', '" blank"'],
    ["it's", "it's"],
  ])('writes %j as %j', (text, cell) => {
    expect(csvLine([text, 'z'])).toBe(`${cell},z\r\n`);
  });
});

describe('figures', () => {
  it('are easy to read', () => {
    expect(formatCount(1204567)).toBe('1 204 567');
    expect([0, 999, 1500, 2.5e9].map(formatBytes)).toEqual(['0 B', '999 B', '1.5 kB', '2.5 GB']);
    expect([0.2, 59, 61, 7300].map(formatDuration)).toEqual(['1 s', '59 s', '1 min 1 s', '2 h 1 min']);
  });

  it('show 0 and 100 per cent only when exact', () => {
    expect(formatShare(999, 1000)).toBe('99 %');
    expect(formatShare(1, 1000)).toBe('1 %');
    expect(formatShare(1000, 1000)).toBe('100 %');
    expect(formatShare(0, 0)).toBe('–');
  });

  it('have bars that are never empty for a positive value', () => {
    expect(renderBar(1, 1e6, 20)).toBe('▏');
    expect(renderBar(0, 10, 20)).toBe('');
    expect(renderBar(5, 10, 4)).toBe('██');
  });

  it('show progress, speed and remaining time', () => {
    const line = renderProgress({ title: 'Listing', total: () => 1000 }, 250, 2);
    expect(line).toBe('Listing  ██████░░░░░░░░░░░░░░░░░░ 25 %  250 of 1 000  125/s  6 s left');
    expect(renderProgress({ title: 'Listing', total: () => undefined }, 250, 2)).toBe('Listing  250  125/s');
  });
});
