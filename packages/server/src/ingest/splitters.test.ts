import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonArraySplitter } from './json-array-splitter.ts';
import { NdjsonSplitter } from './ndjson-splitter.ts';
import type { RecordSplitter } from './record-splitter.ts';

/** The texts that a splitter finds in a body that arrives in chunks of the given sizes. */
function split(
  splitter: RecordSplitter,
  body: Buffer,
  sizes: readonly number[],
): [number, string | undefined][] {
  const found: [number, string | undefined][] = [];
  let start = 0;
  for (let at = 0; start < body.length; at++) {
    const end = start + (sizes[at % sizes.length] ?? body.length);
    for (const { line, bytes } of splitter.push(body.subarray(start, end)))
      found.push([line, bytes?.toString()]);
    start = end;
  }
  for (const { line, bytes } of splitter.end()) found.push([line, bytes?.toString()]);
  return found;
}

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
const values = fc.array(fc.jsonValue({ maxDepth: 2, stringUnit: 'grapheme' }), { maxLength: 8 });
const bom = fc.constantFrom('', '\ufeff');

describe('NdjsonSplitter', () => {
  it('finds the same lines however the body is cut into chunks', () => {
    fc.assert(
      fc.property(
        values,
        sizes,
        bom,
        fc.constantFrom('\n', '\r\n', '\n\n'),
        (lines, chunks, start, newline) => {
          const body = Buffer.from(start + lines.map((line) => JSON.stringify(line)).join(newline));
          const found = split(new NdjsonSplitter(10_000), body, chunks);
          expect(found.map(([, text]) => JSON.parse(text!))).toEqual(JSON.parse(JSON.stringify(lines)));
        },
      ),
    );
  });

  it('passes over a line that is too long and counts on', () => {
    const body = Buffer.from(`1\n${'x'.repeat(500)}\n3\n`);
    for (const size of [1, 7, 64, 1000]) {
      const expected = [
        [1, '1'],
        [2, undefined],
        [3, '3'],
      ];
      expect(split(new NdjsonSplitter(100), body, [size])).toEqual(expected);
    }
  });
});

describe('JsonArraySplitter', () => {
  it('finds the same elements however the body is cut into chunks and laid out', () => {
    fc.assert(
      fc.property(values, sizes, bom, fc.constantFrom(undefined, 2), (elements, chunks, start, indent) => {
        const body = Buffer.from(start + JSON.stringify(elements, null, indent));
        const found = split(new JsonArraySplitter(10_000), body, chunks);
        expect(found.map(([, text]) => JSON.parse(text!))).toEqual(JSON.parse(JSON.stringify(elements)));
        expect(found.map(([line]) => line)).toEqual(elements.map((_, at) => at + 1));
      }),
    );
  });

  it('does not take an element that is too long for an empty array', () => {
    const body = Buffer.from(`["${'x'.repeat(500)}"]`);
    for (const size of [1, 64, 1000]) {
      expect(split(new JsonArraySplitter(100), body, [size])).toEqual([[1, undefined]]);
    }
    expect(split(new JsonArraySplitter(100), Buffer.from(' [ ] '), [1])).toEqual([]);
  });

  it('passes over an element that is too long and counts on', () => {
    const body = Buffer.from(`[1,"${'x'.repeat(500)}",3]`);
    for (const size of [1, 7, 64, 1000]) {
      expect(
        split(new JsonArraySplitter(100), body, [size]).map(([line, text]) => [line, text !== undefined]),
      ).toEqual([
        [1, true],
        [2, false],
        [3, true],
      ]);
    }
  });
});
