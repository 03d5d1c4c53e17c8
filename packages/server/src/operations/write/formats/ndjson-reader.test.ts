import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NdjsonReader } from './ndjson-reader.ts';
import { chunkSizes } from './testing/arbitraries.ts';
import { readBody, readErrors } from './testing/read-body.ts';

const values = fc.array(fc.jsonValue({ maxDepth: 2, stringUnit: 'grapheme' }), {
  minLength: 1,
  maxLength: 8,
});

describe('NdjsonReader', () => {
  it('finds the same records however the body is cut into chunks', () => {
    const newlines = fc.constantFrom('\n', '\r\n', '\n \t\n');
    fc.assert(
      fc.property(values, chunkSizes, newlines, (records, sizes, newline) => {
        const body = records.map((record) => JSON.stringify(record)).join(newline);
        const step = newline.split('\n').length - 1;
        expect(readBody(new NdjsonReader(10_000), body, sizes)).toEqual(
          JSON.parse(JSON.stringify(records)).map((value: unknown, at: number) => ({
            line: 1 + at * step,
            column: 1,
            value,
          })),
        );
      }),
    );
  });

  it('refuses an empty body, which a broken pipe may have left', () => {
    for (const body of ['', '\ufeff', '\n', ' \r\n\t\n']) {
      expect(() => readBody(new NdjsonReader(100), body)).toThrow(
        expect.objectContaining({ code: 'invalid_body', message: 'the body is empty' }),
      );
    }
  });

  it('skips a line that is too long, and counts it', () => {
    const body = `1\n${'x'.repeat(500)}\n3\n`;
    for (const size of [1, 7, 64, 1000]) {
      expect(readBody(new NdjsonReader(100), body, [size])).toEqual([
        { line: 1, column: 1, value: 1 },
        { line: 2, column: 1, field: undefined, reason: 'a record may have at most 100 bytes' },
        { line: 3, column: 1, value: 3 },
      ]);
    }
  });

  it('measures a record in bytes', () => {
    const ofBytes = (bytes: number) => `"${'节'.repeat((bytes - 2) / 3)}"`;
    for (const size of [1, 1000]) {
      expect(readErrors(new NdjsonReader(101), ofBytes(101), [size])).toEqual([]);
      expect(readErrors(new NdjsonReader(101), ofBytes(104), [size])).toHaveLength(1);
    }
  });

  it.each([
    ['{"a": 1, "b": 2, "a": 1}', '1:18 a is given twice'],
    ['{"a": {"key": 1, "key" : 2}}', '1:18 key is given twice'],
    ['{"a": x}', "1:7 is not valid JSON: Unexpected token 'x', got "],
    ['\n  {"a": 1,}', '2:11 is not valid JSON: Expected double-quoted property name, got '],
    ['{"a": "b\u0000"}', '1:9 is not valid JSON: Bad control character in string literal, got '],
    ['\u0000', '1:1 is not valid JSON'],
    ['{"节": "节" 1}', '1:11 is not valid JSON'],
    ['{"a": 1', '1:8 is not valid JSON'],
  ])('reports where %j is wrong', (body, error) => {
    const errors = readErrors(new NdjsonReader(1000), body);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(error);
  });

  it('reports where bytes are not UTF-8, and continues', () => {
    const body = Buffer.concat([Buffer.from('{"节": "'), Buffer.from([0xe8, 0x8a]), Buffer.from('"}\n7')]);
    for (const size of [1, 4, 100]) {
      expect(readBody(new NdjsonReader(1000), body, [size])).toEqual([
        { line: 1, column: 8, field: undefined, reason: 'is not valid UTF-8; save the file as UTF-8' },
        { line: 2, column: 1, value: 7 },
      ]);
    }
  });

  it('knows the positions of fields', () => {
    const [record] = [...new NdjsonReader(1000).push('  {"name": {"sku": 1}, "sku": 2}\n')];
    if (record === undefined || 'errors' in record) throw new Error('no record was read');
    expect(record.positionOf('sku')).toEqual({ line: 1, column: 24 });
    expect(record.positionOf('state')).toBeUndefined();
  });
});
